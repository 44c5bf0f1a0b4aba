import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { ExampleServer } from '../../support/example-server.ts';
import { addPasskey, logIn, newUsername, signUpStart } from '../../support/person.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { isLost, type Load, putUnderLoad } from './load.ts';
import type { StartProxy } from './proxy.ts';
import { origin, startTwoServers, type TwoServers } from './two-servers.ts';

const users = 2;

/**
 * Declares the tests of two processes behind a proxy.
 *
 * @param failsOnce whether one request with a body fails after a process dies, because the proxy does not send the
 *   request to the other process
 */
export function behaveBehind(startProxy: StartProxy, { failsOnce }: { failsOnce: boolean }): void {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.remove());

  describe('two processes', () => {
    let service: TwoServers;
    beforeAll(async () => {
      service = await startTwoServers(startProxy, redis);
    });
    afterAll(() => service.close());

    test('both receive requests', async () => {
      for (let request = 0; request < 8; request += 1) await service.browser().get('/unknown-path');
      await eventually(() =>
        service.servers.every(({ output }) => output().includes('"path":"/unknown-path"')),
      );
    });

    test('share ceremonies, so a ceremony can start on one process and finish on the other process', async () => {
      const authenticator = service.authenticator();
      const username = newUsername();
      const one = service.browserAt(0);
      const credential = await authenticator.create(await signUpStart(one, username));
      const other = service.browserAt(1, one.cookies);
      const signedUp = await other.post('/auth/passkey/register/verify', { credential });
      expect(signedUp.status).toBe(201);

      const fresh = service.browserAt(1);
      const { options } = (await fresh.post('/auth/passkey/login/start', { username })).body;
      const back = service.browserAt(0, fresh.cookies);
      const login = await back.post('/auth/passkey/login/verify', {
        credential: await authenticator.get(options),
      });
      expect(login.status).toBe(200);

      const started = (await back.post('/auth/passkey/stepup/start', {})).body;
      const confirming = service.browserAt(1, back.cookies);
      const confirmed = await confirming.post('/auth/passkey/stepup/verify', {
        credential: await authenticator.get(started.options),
      });
      expect(confirmed.status).toBe(200);
      expect((await addPasskey(confirming, service.authenticator())).status).toBe(201);
    });

    test('reject a session that ended on the other process', async () => {
      const { browser } = await signUpThrough(service);
      const [one, other] = [service.browserAt(0, browser.cookies), service.browserAt(1, browser.cookies)];
      expect((await one.get('/auth/session')).status).toBe(200);
      expect((await other.get('/auth/session')).status).toBe(200);
      expect((await one.delete('/auth/session')).status).toBe(204);
      expect((await other.get('/auth/session')).status).toBe(401);
    });

    test('share rate limits, which use the real IP address of the client', async () => {
      const spoofed = { 'X-Forwarded-For': '203.0.113.7' };
      const requests = [
        () => service.browserAt(0).get('/auth/session'),
        () => service.browserAt(1).get('/auth/session'),
        () => service.browser().get('/auth/session'),
        () => service.browser().get('/auth/session', spoofed),
      ];
      const left: number[] = [];
      for (const ask of requests) left.push(Number((await ask()).headers.get('RateLimit-Remaining')));
      const [first = 0] = left;
      expect(first).toBeGreaterThan(500);
      expect(left).toEqual([first, first - 1, first - 2, first - 3]);
    });

    test('use the proxy’s request id in the response, the log and the audit log', async () => {
      const authenticator = service.authenticator();
      const browser = service.browser();
      const credential = await authenticator.create(await signUpStart(browser));
      const chosen = { 'X-Request-Id': 'chosen-by-the-client' };
      const answer = await browser.post('/auth/passkey/register/verify', { credential }, chosen);
      const id = `${answer.headers.get('X-Request-Id')}`;
      expect(id).toMatch(/^[0-9a-f-]{32,36}$/);
      const rows = await service.database.sql`
        select event from latchkey.audit_events where request_id = ${id}`;
      expect(rows).toEqual([{ event: 'account.signup' }]);
      await eventually(() =>
        service.servers.some(({ output }) => output().includes(`"requestId":"${id}","method":"POST"`)),
      );
    });

    test('do not receive requests that are far too large', async () => {
      const body = JSON.stringify({ username: 'x'.repeat(200_000) });
      const headers = { 'Content-Type': 'application/json', 'X-Marked': 'large' };
      const answer = await service.browser().request('POST', '/auth/passkey/register/start', body, headers);
      expect(answer.status).toBe(413);
      expect(`${answer.headers.get('Content-Type')}`).not.toContain('problem+json');
      expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{32,36}$/);
      const fromService = await service
        .browser()
        .request('POST', '/auth/passkey/register/start', body.slice(0, 80_000), headers);
      expect([fromService.status, fromService.body.code]).toEqual([413, 'body_too_large']);
    });

    test('receive no requests over http, because the proxy redirects them to https', async () => {
      const answer = await new Promise<{ status?: number | undefined; location?: string | undefined }>(
        (resolve, reject) => {
          const { plainPort: port } = service.proxy;
          const headers = { Host: 'example.com' };
          request({ host: '127.0.0.1', port, path: '/recover?a=b', headers }, (incoming) => {
            incoming.resume();
            resolve({ status: incoming.statusCode, location: incoming.headers.location });
          })
            .on('error', reject)
            .end();
        },
      );
      expect(answer).toEqual({ status: 308, location: `${origin}/recover?a=b` });
    });
  });

  describe('under load,', () => {
    let service: TwoServers;
    let load: Load;
    beforeAll(async () => {
      service = await startTwoServers(startProxy, redis, { RATE_LIMIT: 'off' });
    });
    afterAll(() => service.close());
    beforeEach(async () => {
      // The last test kills a process. If that test is retried, the process starts again.
      for (const index of [0, 1] as const) if (hasEnded(service.servers[index])) await service.restart(index);
      const written = service.servers.map(({ output }) => output().length);
      load = putUnderLoad(service, users);
      await load.more(100);
      await eventually(() =>
        service.servers.every(({ output }, index) =>
          output().slice(written[index]).includes('"msg":"request"'),
        ),
      );
    });
    // A failed test can end without stopping its load.
    afterEach(() => load.stop().catch(() => {}));

    test('no request is lost while the processes restart one after the other', async () => {
      for (const index of [0, 1] as const) {
        const leaving = service.servers[index];
        leaving.process.kill('SIGTERM');
        expect(await leaving.exit).toBe(0);
        await load.more(60);
        await service.restart(index);
        const { output } = service.servers[index];
        await eventually(() => output().includes('"msg":"request"'));
      }
      await load.more(60);
      await load.stop();
      expect(load.journal.filter(isLost)).toEqual([]);
      await expectAcknowledged(service, load);
    });

    test('no acknowledged change and no read is lost if a process is killed, and one retry of a failed change is enough', async () => {
      const [dead] = service.servers;
      const killed = performance.now();
      dead.process.kill('SIGKILL');
      expect(await dead.exit).toBe('SIGKILL');
      const gone = performance.now();
      await load.more(100);
      await load.stop();

      const lost = load.journal.filter(isLost);
      // Lost requests were in flight when the process died, or when the proxy noticed.
      // No request that began later was lost.
      const laterFailures = failsOnce ? lost.filter(({ began }) => began >= gone) : [];
      const detected = laterFailures.length > 0 ? Math.min(...laterFailures.map(({ ended }) => ended)) : gone;
      for (const { method, began, ended } of lost) {
        expect(method).not.toBe('GET');
        expect(began).toBeLessThan(detected);
        expect(ended).toBeGreaterThan(killed);
      }
      expect(lost.length).toBeLessThanOrEqual(users);
      await expectAcknowledged(service, load);
    });
  });
}

const hasEnded = ({ process }: ExampleServer) => process.exitCode !== null || process.signalCode !== null;

async function signUpThrough(service: TwoServers) {
  const authenticator = service.authenticator();
  const browser = service.browser();
  const username = newUsername();
  const credential = await authenticator.create(await signUpStart(browser, username));
  await browser.post('/auth/passkey/register/verify', { credential });
  expect((await logIn(service.browser(), authenticator, { username })).status).toBe(200);
  return { browser, authenticator, username };
}

async function expectAcknowledged(service: TwoServers, load: Load): Promise<void> {
  const rows = await service.database.sql<{ username: string; label: string; passkeys: number }[]>`
    select username, max(label) as label, count(*)::int as passkeys
    from latchkey.users join latchkey.passkeys on user_id = users.id group by username`;
  const found = new Map(rows.map((row) => [row.username, row]));
  expect(load.acknowledged.length).toBeGreaterThan(10);
  for (const { username, labeled } of load.acknowledged) {
    expect(found.get(username)).toMatchObject({
      passkeys: 1,
      ...(labeled > 0 && { label: `Label ${labeled}` }),
    });
  }
}
