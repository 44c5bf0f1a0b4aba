import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bcrypt from 'bcrypt';
import Koa from 'koa';
import { type AuthServiceOptions, createAuthRouter } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limitedServices } from '../support/limited-services.ts';
import { inTurn, statuses, times, together } from '../support/many-requests.ts';
import { newUsername, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { serve } from '../support/serve.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const json = { 'Content-Type': 'application/json' };
const of = (max: number, seconds = 60) => ({ max, seconds });

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const limits = limitedServices();

/** A service with these limits and unused budgets. */
const limited = (rateLimits: AuthServiceOptions['rateLimits'], options: AuthServiceOptions = {}) =>
  limits.start(service, { rateLimits, bcryptCost: 4, ...options });

const readSession = ({ url }: { url: string }, headers = {}) => send(url, '/auth/session', { headers });
const startLogin = ({ url }: { url: string }, username?: string, headers: Record<string, string> = {}) =>
  send(url, '/auth/passkey/login/start', {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ username }),
  });
/** Signs in with a wrong password. */
const guess = ({ url }: { url: string }, username: string, headers: Record<string, string> = {}) =>
  send(url, '/auth/password/login', {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ username, password: 'a wrong password' }),
  });
/** Counts only against the budget of the IP address, because the request has no session. */
const stepUpSignedOut = ({ url }: { url: string }) =>
  send(url, '/auth/password/stepup', { method: 'POST', headers: json, body: '{}' });
const from = (address: string) => ({ 'X-Forwarded-For': address });

const shown = ({ headers }: RawAnswer) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`]);

describe('a budget', () => {
  test('accepts requests up to its maximum, returns the remainder, and rejects the next request', async () => {
    const instance = await limited({ read: { address: of(3) } });
    const answers = await inTurn(3, () => readSession(instance));
    expect(statuses(answers)).toEqual([401, 401, 401]);
    expect(answers.map(shown)).toEqual([
      ['3', '2', '60'],
      ['3', '1', '60'],
      ['3', '0', '60'],
    ]);
    const refused = await readSession(instance);
    expectProblem(refused, 'rate_limited');
    expect(shown(refused)).toEqual(['3', '0', '60']);
    expect(refused.headers['retry-after']).toBe('60');
  });

  test('allows its maximum again exactly when its window ends, and rounds Retry-After up to a full second', async () => {
    const instance = await limited({ read: { address: of(2) } });
    await readSession(instance);
    limits.turnClock({ seconds: 10.4 });
    await readSession(instance);
    const refused = await readSession(instance);
    // The window ends in 49.6 seconds, which are rounded up.
    expect([shown(refused), refused.headers['retry-after']]).toEqual([['2', '0', '50'], '50']);
    limits.turnClock({ seconds: 49.599 });
    const stillRefused = await readSession(instance);
    expect([stillRefused.status, stillRefused.headers['retry-after']]).toEqual([429, '1']);
    limits.turnClock({ seconds: 0.001 });
    expect(shown(await readSession(instance))).toEqual(['2', '1', '60']);
  });

  test('allows requests again at the end of its window, even after rejected requests', async () => {
    const instance = await limited({ read: { address: of(1) } });
    await readSession(instance);
    limits.turnClock({ seconds: 59 });
    await inTurn(5, () => readSession(instance));
    limits.turnClock({ seconds: 1 });
    expect((await readSession(instance)).status).toBe(401);
  });

  test('counts successful and failed requests', async () => {
    const instance = await limited({ read: { address: of(4) } });
    const { browser } = await signUp(instance);
    const cookie = { Cookie: `latchkey=${browser.cookies.get('latchkey')}` };
    const answers = [
      await readSession(instance, cookie),
      await readSession(instance),
      await readSession(instance, cookie),
      await readSession(instance),
      await readSession(instance, cookie),
    ];
    expect(statuses(answers)).toEqual([200, 401, 200, 401, 429]);
  });

  test('is shared by all routes of one kind; other kinds have their own budgets', async () => {
    const instance = await limited({ read: { address: of(2) } });
    const available = () => send(instance.url, `/auth/username/availability?username=${newUsername()}`);
    expect(statuses([await available(), await readSession(instance), await available()])).toEqual([
      200, 401, 429,
    ]);
    expect(statuses([await startLogin(instance)])).toEqual([200]);
  });

  test('counts HEAD requests like GET requests', async () => {
    const instance = await limited({ read: { address: of(1) } });
    await send(instance.url, '/auth/session', { method: 'HEAD' });
    expect((await readSession(instance)).status).toBe(429);
  });

  test('is shared by all routers of a service', async () => {
    const instance = await limited({ read: { address: of(1) } });
    const app = new Koa();
    app.use(createAuthRouter(instance.auth, { prefix: '/again' }).routes());
    const served = await serve(app);
    expect((await send(served.url, '/again/session')).status).toBe(401);
    expect((await readSession(instance)).status).toBe(429);
    await served.close();
  });

  test('of an IP address is separate in another service', async () => {
    const [one, other] = [
      await limited({ read: { address: of(1) } }),
      await limited({ read: { address: of(1) } }),
    ];
    expect(statuses([await readSession(one), await readSession(other), await readSession(one)])).toEqual([
      401, 401, 429,
    ]);
  });
});

describe('of 50 concurrent requests, exactly as many as the budget allows are accepted', () => {
  test('if they arrive on separate connections', async () => {
    const instance = await limited({ read: { address: of(17) } });
    const answers = await together(times(50, () => readSession(instance)));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(17);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(33);
    const left = answers.map(({ headers }) => Number(headers['ratelimit-remaining'])).sort((a, b) => b - a);
    expect(left).toEqual([...Array.from({ length: 17 }, (_, i) => 16 - i), ...Array(33).fill(0)]);
  });

  test('if they are pipelined on one connection', async () => {
    const instance = await limited({ read: { address: of(17) } });
    const answered = await pipelined(instance.url, 'GET /auth/session HTTP/1.1\r\nHost: x\r\n\r\n', 50);
    expect(answered.filter((status) => status === 401)).toHaveLength(17);
    expect(answered.filter((status) => status === 429)).toHaveLength(33);
  });
});

test('the budget is checked after the origin and before everything else, so cross-origin requests do not count', async () => {
  const instance = await limited({ ceremony: { address: of(2), account: null } });
  const big = `{"a":"${'x'.repeat(70_000)}"}`;
  const ask = (path: string, headers: Record<string, string>, body: string) =>
    send(instance.url, path, { method: 'POST', headers, body });
  const foreign = { Origin: 'https://evil.example', ...json };
  const stepUp = '/auth/passkey/stepup/start';

  for (const answer of await inTurn(5, () => ask(stepUp, foreign, '{}'))) {
    expectProblem(answer, 'cross_origin_request');
    expect(shown(answer)).toEqual([undefined, undefined, undefined]);
  }
  expectProblem(await ask(stepUp, json, '{}'), 'not_authenticated');
  expect((await startLogin(instance)).status).toBe(200);
  // The budget is used up, so the service rejects the request before later checks.
  expectProblem(await ask(stepUp, foreign, '{}'), 'cross_origin_request');
  expectProblem(await ask(stepUp, json, '{}'), 'rate_limited');
  expectProblem(
    await ask('/auth/passkey/login/start', { 'Content-Type': 'text/plain' }, '{}'),
    'rate_limited',
  );
  expectProblem(await ask('/auth/passkey/login/start', json, big), 'rate_limited');
  expectProblem(await ask('/auth/passkey/login/start', json, '{"a":1}'), 'rate_limited');
  expectProblem(await startLogin(instance, newUsername()), 'rate_limited');
});

test('the account budget is checked after the session and its kind, and before the body', async () => {
  const instance = await limited({ ceremony: { account: of(1) } });
  const person = await signUp(instance);
  const { id } = person.signedUp.body.session;
  const ask = (body: string) => person.browser.request('POST', '/auth/passkey/stepup/start', body, json);
  expect((await ask('{}')).status).toBe(200);
  expectProblem(await ask('{"a":1}'), 'rate_limited');
  await service.database.sql`update latchkey.sessions set kind = 'recovery' where id = ${id}`;
  expectProblem(await ask('{}'), 'recovery_session');
  person.browser.cookies.clear();
  expectProblem(await ask('{}'), 'not_authenticated');
});

test('the username budget is checked after the body, before the password is compared', async () => {
  const statements: string[] = [];
  const options = { rateLimits: { password: { account: of(1) } }, bcryptCost: 4 };
  const instance = await limits.start(service, options, (text) => statements.push(text));
  const username = newUsername();
  await guess(instance, username);
  statements.length = 0;
  const comparing = vi.spyOn(bcrypt, 'compare');
  expectProblem(await guess(instance, username), 'rate_limited');
  expect(comparing).not.toHaveBeenCalled();
  comparing.mockRestore();
  // The rejection writes no audit event.
  expect(statements).toEqual([expect.stringMatching(/^\s*select /)]);
  const body = JSON.stringify({ username, password: 'a wrong password', more: 1 });
  const answer = await send(instance.url, '/auth/password/login', {
    method: 'POST',
    headers: json,
    body,
  });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

describe('if two budgets apply,', () => {
  test('the headers describe the budget with fewer requests left', async () => {
    const instance = await limited({ password: { address: of(4, 60), account: of(3, 900) } });
    const username = newUsername();
    expect(shown(await guess(instance, username))).toEqual(['3', '2', '900']);
    expect(shown(await stepUpSignedOut(instance))).toEqual(['4', '2', '60']);
    expect(shown(await stepUpSignedOut(instance))).toEqual(['4', '1', '60']);
    expect(shown(await guess(instance, username))).toEqual(['4', '0', '60']);
  });

  test('Retry-After is the time of the budget that refills last', async () => {
    const instance = await limited({ password: { address: of(2, 900), account: of(1, 60) } });
    const username = newUsername();
    await guess(instance, username);
    const refused = await guess(instance, username);
    expect([refused.status, refused.headers['retry-after'], shown(refused)]).toEqual([
      429,
      '900',
      ['2', '0', '900'],
    ]);
    limits.turnClock({ seconds: 900 });
    expect((await guess(instance, username)).status).toBe(401);
  });
});

describe('the budget of a username', () => {
  const spend = (instance: ServiceOn, username: string) =>
    inTurn(3, async () => guess(instance, username, from(`203.0.113.${newUsername().split('-').at(-1)}`)));

  test('counts guesses from all IP addresses, even if no account has the username', async () => {
    const instance = await limited({ password: { account: of(2) } }, { trustedProxies: 1 });
    const { username } = await signUp(service);
    expect(statuses(await spend(instance, username))).toEqual([401, 401, 429]);
    expect(statuses(await spend(instance, newUsername()))).toEqual([401, 401, 429]);
  });

  test('is separate for each kind of route', async () => {
    const instance = await limited({ password: { account: of(1) }, recovery: { account: of(1) } });
    const username = newUsername();
    const useCode = () =>
      send(instance.url, '/auth/recovery/codes/use', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ username, code: 'a wrong one' }),
      });
    expect(statuses([await guess(instance, username), await guess(instance, username)])).toEqual([401, 429]);
    expect(statuses([await useCode(), await useCode()])).toEqual([401, 429]);
  });
});

test('each account has its own budget, which counts requests from all IP addresses', async () => {
  const instance = await limited({ ceremony: { account: of(3) } }, { trustedProxies: 1 });
  const [one, other] = [await signUp(service), await signUp(service)];
  const stepUp = ({ browser }: typeof one, address: string) =>
    instance.browser(browser.cookies).post('/auth/passkey/stepup/start', {}, from(address));
  expect((await stepUp(one, '203.0.113.1')).status).toBe(200);
  expect((await stepUp(one, '203.0.113.2')).status).toBe(200);
  expect((await stepUp(one, '203.0.113.3')).headers.get('RateLimit-Remaining')).toBe('0');
  expectProblem(await stepUp(one, '203.0.113.4'), 'rate_limited');
  expect((await stepUp(other, '203.0.113.4')).status).toBe(200);
});

describe('rate limits that are disabled by', () => {
  test.each([
    ['the option `rateLimit: false`', { rateLimit: false }],
    ['the variable `RATE_LIMIT=off`', { rateLimit: undefined, env: { RATE_LIMIT: 'off' } }],
  ])('%s count no requests and send no headers', async (_, off) => {
    // Nothing listens on this port, so a connection attempt would log a warning.
    const redisUrl = 'redis://127.0.0.1:1';
    const rateLimits = { read: { address: of(1) }, ceremony: { address: of(1), account: of(1) } };
    const instance = await limited(rateLimits, { redisUrl, ...(off as AuthServiceOptions) });
    const username = newUsername();
    const answers = [
      ...(await inTurn(3, () => readSession(instance))),
      ...(await inTurn(3, () => startLogin(instance, username))),
    ];
    expect(statuses(answers)).toEqual([401, 401, 401, 200, 200, 200]);
    for (const { headers } of answers) expect(Object.keys(headers).join()).not.toMatch(/ratelimit|retry/);
    expect(instance.logged).toEqual([]);
  });
});

test('rate limits are enabled by default', async () => {
  const instance = await limited({}, { rateLimit: undefined });
  expect(shown(await readSession(instance))).toEqual(['600', '599', '60']);
});

test('only the first rejection by each budget in each window is logged, without the username', async () => {
  const instance = await limited({ password: { address: of(4), account: of(2) } }, { trustedProxies: 1 });
  const username = newUsername('user');
  const newLogEntries = () => instance.logged.splice(0).map(({ level, fields }) => [level, fields]);
  await inTurn(6, () => guess(instance, username, from('203.0.113.9')));
  expect(newLogEntries()).toEqual([
    ['warn', { budget: 'password', scope: 'account', ip: '203.0.113.9' }],
    ['warn', { budget: 'password', scope: 'address', ip: '203.0.113.9' }],
  ]);
  await guess(instance, username, from('203.0.113.10'));
  expect(newLogEntries()).toEqual([]);
  limits.turnClock({ seconds: 60 });
  await inTurn(6, () => guess(instance, newUsername(), from('203.0.113.9')));
  expect(newLogEntries()).toEqual([['warn', { budget: 'password', scope: 'address', ip: '203.0.113.9' }]]);
});

test('clients without an IP address share one budget', async () => {
  const instance = await limited({ read: { address: of(2) } });
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-socket-'));
  const socketPath = join(directory, 'socket');
  const server = createServer(instance.app.callback()).listen(socketPath);
  await once(server, 'listening');
  const ask = async () => {
    const [incoming] = await once(
      request({ socketPath, path: '/auth/session', agent: false }).end(),
      'response',
    );
    (incoming as IncomingMessage).resume();
    return incoming as { statusCode: number };
  };
  expect((await inTurn(3, ask)).map(({ statusCode }) => statusCode)).toEqual([401, 401, 429]);
  expect((await readSession(instance)).status).toBe(401);
  server.closeAllConnections();
  server.close();
  await removeFolder(directory);
});

/** Sends the same request several times in one packet. Returns the response statuses in order. */
async function pipelined(url: string, requests: string, times: number): Promise<number[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(requests.repeat(times));
  let text = '';
  const found: number[] = [];
  for await (const piece of socket.setEncoding('latin1')) {
    text += piece;
    const answered = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)];
    if (answered.length < times) continue;
    found.push(...answered.map(([, status]) => Number(status)));
    break;
  }
  socket.destroy();
  return found;
}
