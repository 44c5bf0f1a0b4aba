import { createHash } from 'node:crypto';
import type { AuthServiceOptions } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { addPasskey, logIn, newUsername, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';
import { currentSession, tokenOf } from './support/current-session.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';
const malformedIds = ['1', 'null', '%00', `${unknownId}0`, unknownId.replaceAll('-', ''), '%E0%A4%A'];
const clearedCookie = 'latchkey=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0';

let service: TestService;
/** Another process on the same database. */
let neighbor: ServiceOn;
beforeAll(async () => {
  service = await startFrozenService();
  neighbor = await startSecondInstance(service);
});
afterAll(async () => {
  await neighbor.close();
  await service.close();
});

const now = (plusSeconds?: number) => timeOf(service, plusSeconds);
const list = async (browser: TestAgent) => (await browser.get('/auth/sessions')).body.sessions;
const idOf = ({ signedUp }: Person): string => signedUp.body.session.id;

/** Signs in with the user's passkey in another browser. */
async function logInElsewhere({ authenticator }: Person): Promise<{ browser: TestAgent; id: string }> {
  const browser = service.browser();
  const { body } = await logIn(browser, authenticator);
  return { browser, id: body.session.id };
}

/** Expects that the session has ended in both processes. */
async function expectEnded(browser: TestAgent): Promise<void> {
  expectProblem(await browser.get('/auth/session'), 'not_authenticated');
  expectProblem(await neighbor.browser(browser.cookies).get('/auth/session'), 'not_authenticated');
}

describe('the list of sessions', () => {
  test('contains the documented properties of each session, and the most recently used session is first', async () => {
    const person = await signUp(service);
    const signedUpAt = await now();
    await service.turnClock({ seconds: 70 });
    const later = await logInElsewhere(person);
    const common = {
      kind: 'full',
      method: 'passkey',
      ip: '127.0.0.1',
      userAgent: 'node',
      impersonator: null,
      passkeyId: person.signedUp.body.passkey.id,
      passkeyLabel: 'Passkey',
      place: null,
    };
    const first = {
      ...common,
      id: idOf(person),
      current: false,
      createdAt: signedUpAt,
      lastSeenAt: signedUpAt,
      authenticatedAt: signedUpAt,
      expiresAt: new Date(Date.parse(signedUpAt) + 604_800_000).toISOString(),
    };
    const second = {
      ...common,
      id: later.id,
      current: true,
      createdAt: await now(),
      lastSeenAt: await now(),
      authenticatedAt: await now(),
      expiresAt: await now(604_800),
    };
    const answer = await later.browser.get('/auth/sessions');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ sessions: [second, first] });

    await service.turnClock({ seconds: 60 });
    const seen = { ...first, current: true, lastSeenAt: await now(), expiresAt: await now(604_800) };
    expect(await list(person.browser)).toEqual([seen, { ...second, current: false }]);
    const { passkeyLabel: _, place: __, ...read } = seen;
    expect(await currentSession(person.browser)).toEqual(read);
  });

  test('contains no sessions of other users and no ended sessions', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const ended = await logInElsewhere(person);
    await ended.browser.delete('/auth/session');
    expect((await list(person.browser)).map(({ id }: { id: string }) => id)).toEqual([idOf(person)]);
    expect((await list(other.browser)).map(({ id }: { id: string }) => id)).toEqual([idOf(other)]);
  });

  // Each session has a copy of its account's epoch. Incrementing the account's epoch ends all sessions. A concurrent
  // sign-in can still insert a session of the previous epoch.
  test('contains no session of an earlier epoch of the account', async () => {
    const person = await signUp(service);
    const { session } = (await logIn(service.browser(), person.authenticator)).body;
    await service.database.sql`
      update latchkey.sessions set epoch = epoch - 1 where id = ${person.signedUp.body.session.id}`;
    const browser = service.browser();
    const { session: current } = (await logIn(browser, person.authenticator)).body;
    const { sessions } = (await browser.get('/auth/sessions')).body;
    expect(sessions.map(({ id }: { id: string }) => id).sort()).toEqual([session.id, current.id].sort());
  });
});

describe('signing out', () => {
  test('ends the session and clears the cookie', async () => {
    const { browser } = await signUp(service);
    const before = browser.copy();
    const answer = await browser.delete('/auth/session');
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(answer.headers.getSetCookie()).toEqual([clearedCookie]);
    await expectEnded(before);
  });

  test.each([
    ['no cookie', null],
    ['an unknown token', 'A'.repeat(43)],
    ['a malformed token', 'not a token'],
  ])('succeeds with %s', async (_, token) => {
    const browser = service.browser();
    if (token) browser.cookies.set('latchkey', token);
    const answer = await browser.delete('/auth/session');
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(answer.headers.getSetCookie()).toEqual([clearedCookie]);
  });

  test('succeeds again with an ended session', async () => {
    const { browser } = await signUp(service);
    const again = browser.copy();
    await browser.delete('/auth/session');
    expect((await again.delete('/auth/session')).status).toBe(204);
  });

  test('does not end other sessions', async () => {
    const person = await signUp(service);
    const other = await logInElsewhere(person);
    await person.browser.delete('/auth/session');
    expect(await currentSession(other.browser)).toMatchObject({ id: other.id });
  });
});

describe('ending a session by its id', () => {
  test('ends only this session, in every process', async () => {
    const person = await signUp(service);
    const [ended, kept] = [await logInElsewhere(person), await logInElsewhere(person)];
    const answer = await person.browser.delete(`/auth/sessions/${ended.id}`);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    await expectEnded(ended.browser);
    expect(await currentSession(kept.browser)).toMatchObject({ id: kept.id });
    expect(await currentSession(person.browser)).toMatchObject({ id: idOf(person) });
  });

  test('signs the user out if it is the current session', async () => {
    const person = await signUp(service);
    const before = person.browser.copy();
    const answer = await person.browser.delete(`/auth/sessions/${idOf(person)}`);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(answer.headers.getSetCookie()).toEqual([clearedCookie]);
    await expectEnded(before);
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'session.logout',
      target_id: idOf(person),
    });
  });

  test('returns 404 for a session of another user, for an ended session and for an unknown id', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const ended = await logInElsewhere(person);
    await ended.browser.delete('/auth/session');
    for (const id of [idOf(other), ended.id, unknownId, ...malformedIds]) {
      expectProblem(await person.browser.delete(`/auth/sessions/${id}`), 'not_found');
    }
    expect(await currentSession(other.browser)).toMatchObject({ id: idOf(other) });
  });

  test('succeeds for exactly one of ten concurrent requests', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 5; round += 1) {
      const ended = await logInElsewhere(person);
      const requests = Array.from(
        { length: 10 },
        () => () => person.browser.delete(`/auth/sessions/${ended.id}`),
      );
      const answers = await Promise.all(requests.map((request) => request()));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
      const rows = (await service.auditRows()).filter(({ target_id }) => target_id === ended.id);
      expect(rows).toHaveLength(1);
    }
  });
});

describe('ending all other sessions', () => {
  test('returns their number, and does not end the current session or sessions of other users', async () => {
    const [person, stranger] = [await signUp(service), await signUp(service)];
    const others = [await logInElsewhere(person), await logInElsewhere(person)];
    const answer = await person.browser.delete('/auth/sessions');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ended: 2 });
    for (const { browser } of others) await expectEnded(browser);
    expect(await list(person.browser)).toMatchObject([{ id: idOf(person), current: true }]);
    expect(await currentSession(stranger.browser)).toMatchObject({ id: idOf(stranger) });
    expect((await person.browser.delete('/auth/sessions')).body).toEqual({ ended: 0 });
  });

  test('counts each ended session only once if all sessions send the request concurrently', async () => {
    const person = await signUp(service);
    const browsers = [person.browser];
    for (let more = 0; more < 9; more += 1) browsers.push((await logInElsewhere(person)).browser);
    const requests = browsers.map((browser) => () => browser.delete('/auth/sessions'));
    const answers = await Promise.all(requests.map((request) => request()));
    const left = await service.database.sql`
      select from latchkey.sessions where user_id = ${person.signedUp.body.user.id}`;
    let ended = 0;
    for (const { status, body } of answers) {
      expect([200, 401]).toContain(status);
      ended += body.ended ?? 0;
    }
    expect(ended + left.length).toBe(10);
  });

  test('does not count expired sessions', async () => {
    const person = await signUp(service);
    const [expired] = [await logInElsewhere(person), await logInElsewhere(person)];
    await service.database.sql`
      update latchkey.sessions set expires_at = latchkey.clock() where id = ${expired.id}`;
    expect((await person.browser.delete('/auth/sessions')).body).toEqual({ ended: 1 });
  });
});

describe('a session', () => {
  let instance: ServiceOn | undefined;
  const start = async (options: AuthServiceOptions) => {
    await instance?.close();
    instance = await startSecondInstance(service, options);
    return instance;
  };
  afterAll(() => instance?.close());

  const signUpWith = async (options: AuthServiceOptions) => {
    const { url } = await start(options);
    return signUp({ ...service, url }, { browser: instance?.browser() });
  };

  test.each([
    ['its idle timeout', { sessionIdleTimeoutSeconds: 100, sessionTtlSeconds: 1000 }, 100],
    ['its maximum lifetime', { sessionIdleTimeoutSeconds: 100, sessionTtlSeconds: 100 }, 100],
    ['the shortest possible idle timeout', { sessionIdleTimeoutSeconds: 2 }, 2],
    ['the default idle timeout', {}, 604_800],
  ])('expires exactly after %s', async (_, options, seconds) => {
    const person = await signUpWith(options);
    const untouched = instance?.browser() as TestAgent;
    await logIn(untouched, person.authenticator);
    expect((await currentSession(untouched)).expiresAt).toBe(await now(seconds));
    await service.turnClock({ seconds: seconds - 0.001 });
    expect((await person.browser.get('/auth/session')).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    expectProblem(await untouched.get('/auth/session'), 'not_authenticated');
    expect(await instance?.auth.sessionOf(cookieHeader(untouched))).toBeNull();
  });

  test('expires after its maximum lifetime even if it is used', async () => {
    const { browser } = await signUpWith({ sessionIdleTimeoutSeconds: 100, sessionTtlSeconds: 300 });
    const end = await now(300);
    for (let elapsed = 60; elapsed < 300; elapsed += 60) {
      await service.turnClock({ seconds: 60 });
      expect((await browser.get('/auth/session')).status).toBe(200);
    }
    await service.turnClock({ seconds: 59.999 });
    expect((await currentSession(browser)).expiresAt).toBe(end);
    await service.turnClock({ seconds: 0.001 });
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
  });

  test('expires after its maximum lifetime even after a step-up', async () => {
    const { browser, authenticator } = await signUpWith({
      sessionIdleTimeoutSeconds: 100,
      sessionTtlSeconds: 150,
    });
    const end = await now(150);
    await service.turnClock({ seconds: 90 });
    expect((await stepUp(browser, authenticator)).body.session.expiresAt).toBe(end);
    await service.turnClock({ seconds: 60 });
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
  });

  test('has an `expiresAt` at the end of its idle timeout or of its maximum lifetime, whichever is earlier', async () => {
    const { browser, signedUp } = await signUpWith({
      sessionIdleTimeoutSeconds: 100,
      sessionTtlSeconds: 150,
    });
    const end = await now(150);
    expect(signedUp.body.session.expiresAt).toBe(await now(100));
    await service.turnClock({ seconds: 40 });
    expect((await currentSession(browser)).expiresAt).toBe(await now(100));
    await service.turnClock({ seconds: 40 });
    expect((await currentSession(browser)).expiresAt).toBe(end);
  });

  test('does not expire while it is used, even with an idle timeout of four seconds', async () => {
    const { browser } = await signUpWith({ sessionIdleTimeoutSeconds: 4, sessionTtlSeconds: 1000 });
    for (let step = 0; step < 10; step += 1) {
      await service.turnClock({ seconds: 3 });
      expect((await browser.get('/auth/session')).status).toBe(200);
    }
    await service.turnClock({ seconds: 4 });
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
  });

  test('is not listed after it expires, and a request to end it returns 404', async () => {
    const person = await signUpWith({ sessionIdleTimeoutSeconds: 100, sessionTtlSeconds: 1000 });
    const other = instance?.browser() as TestAgent;
    const { session } = (await logIn(other, person.authenticator)).body;
    await service.turnClock({ seconds: 99 });
    expect(await list(person.browser)).toHaveLength(2);
    await service.turnClock({ seconds: 1 });
    expect(await list(person.browser)).toMatchObject([{ id: idOf(person) }]);
    expectProblem(await person.browser.delete(`/auth/sessions/${session.id}`), 'not_found');
  });
});

describe('lastSeenAt', () => {
  beforeAll(async () => {
    await service.database.sql.unsafe(`
      create table public.session_writes (session_id uuid);
      create function public.note_write() returns trigger language plpgsql
        as 'begin insert into public.session_writes values (new.id); return new; end';
      create trigger note_write after update on latchkey.sessions
        for each row execute function public.note_write();`);
  });
  const writes = async (id: string) =>
    (await service.database.sql`select from public.session_writes where session_id = ${id}`).length;

  test('is updated in the database once by many concurrent requests, and not in the first minute', async () => {
    const person = await signUp(service);
    const { browser } = person;
    const at = await now();
    const useAtOnce = () => Promise.all(Array.from({ length: 20 }, () => browser.get('/auth/sessions')));

    await service.turnClock({ seconds: 59.999 });
    await useAtOnce();
    expect(await writes(idOf(person))).toBe(0);
    expect((await currentSession(browser)).lastSeenAt).toBe(at);

    await service.turnClock({ minutes: 5 });
    await useAtOnce();
    expect(await writes(idOf(person))).toBe(1);
    expect((await currentSession(browser)).lastSeenAt).toBe(await now());
  });

  test('is already up to date in the response to the request that updates it', async () => {
    const { browser } = await signUp(service);
    await service.turnClock({ minutes: 5 });
    expect((await currentSession(browser)).lastSeenAt).toBe(await now());
  });
});

describe('the session token', () => {
  test('has 256 random bits and changes with every authentication', async () => {
    const { browser, authenticator } = await signUp(service);
    const tokens = [tokenOf(browser)];
    await stepUp(browser, authenticator);
    tokens.push(tokenOf(browser));
    await logIn(browser, authenticator);
    tokens.push(tokenOf(browser));
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(new Set(tokens).size).toBe(3);
  });

  test('becomes invalid when a new authentication replaces it', async () => {
    const person = await signUp(service);
    const signedUp = person.browser.copy();
    await stepUp(person.browser, person.authenticator);
    await expectEnded(signedUp);
    const steppedUp = person.browser.copy();
    await logIn(person.browser, person.authenticator);
    await expectEnded(steppedUp);
    const loggedIn = person.browser.copy();
    await signUp(service, { browser: person.browser, username: newUsername() });
    await expectEnded(loggedIn);
  });

  test('is never a token that the client chose', async () => {
    const { authenticator } = await signUp(service);
    const fixed = Buffer.alloc(32, 7).toString('base64url');
    const victim = service.browser();
    victim.cookies.set('latchkey', fixed);
    expect((await logIn(victim, authenticator)).status).toBe(200);
    expect(tokenOf(victim)).not.toBe(fixed);
    const attacker = service.browser();
    attacker.cookies.set('latchkey', fixed);
    await expectEnded(attacker);
  });

  test('is stored only as a hash', async () => {
    const { browser } = await signUp(service);
    const token = tokenOf(browser);
    const bytes = Buffer.from(token, 'base64url');
    const hash = createHash('sha256').update(token).digest('base64url');
    expect(await tablesHolding(hash)).toEqual(['sessions']);
    for (const form of [token, bytes.toString('hex'), bytes.toString('base64')]) {
      expect(await tablesHolding(form)).toEqual([]);
    }
  });

  test('is in no response body, log line or audit row', async () => {
    const answers: Answer[] = [];
    const tokens = new Set<string>();
    const browser = recorded(service.browser(), (answer) => {
      answers.push(answer);
      tokens.add(tokenOf(browser));
    });
    const { authenticator } = await signUp(service, { browser });
    await addPasskey(browser);
    await stepUp(browser, authenticator);
    for (const path of ['/auth/session', '/auth/sessions', '/auth/passkey/devices', '/auth/nothing']) {
      await browser.get(path);
    }
    await logIn(browser, authenticator);
    await browser.delete('/auth/sessions');
    const emitted: unknown[] = [];
    const listener = (error: unknown) => emitted.push(error);
    service.app.on('error', listener);
    await withBrokenTable('passkeys', async () => {
      expect((await browser.get('/auth/passkey/devices')).status).toBe(500);
    });
    service.app.off('error', listener);
    await browser.delete('/auth/session', { Origin: 'https://evil.example' });
    await browser.delete('/auth/session');
    tokens.delete('');

    expect(tokens.size).toBe(3);
    expect(service.logged.map(({ level }) => level)).toContain('warn');
    expect(emitted).toHaveLength(1);
    const plain = [answers.map(({ body }) => body), service.logged, await service.auditRows()];
    const errors = [...service.logged.map(({ fields }) => fields), ...emitted];
    const text = `${JSON.stringify(plain)} ${errors.map(deepText).join(' ')}`;
    for (const token of tokens) expect(text).not.toContain(token);
  });
});

describe('a disabled account', () => {
  test('has no active session in any process, starting with the next request', async () => {
    const person = await signUp(service);
    const other = await logInElsewhere(person);
    expect((await neighbor.browser(other.browser.cookies).get('/auth/session')).status).toBe(200);
    await service.database.sql`
      update latchkey.users set status = 'disabled' where id = ${person.signedUp.body.user.id}`;
    await expectEnded(person.browser);
    await expectEnded(other.browser);
    expectProblem(await person.browser.get('/auth/sessions'), 'not_authenticated');
    expectProblem(await person.browser.post('/auth/passkey/devices/add', {}), 'not_authenticated');
    expect(await service.auth.sessionOf(cookieHeader(person.browser))).toBeNull();
  });
});

describe('a recovery session', () => {
  const signUpRecovering = async () => {
    const person = await signUp(service);
    await service.database.sql`
      update latchkey.sessions set kind = 'recovery', method = 'recovery_code' where id = ${idOf(person)}`;
    return person;
  };

  test.each([
    ['GET', '/auth/sessions'],
    ['DELETE', '/auth/sessions'],
    ['DELETE', `/auth/sessions/${unknownId}`],
    ['PATCH', `/auth/passkey/devices/${unknownId}`],
    ['DELETE', `/auth/passkey/devices/${unknownId}`],
    ['POST', '/auth/passkey/stepup/start'],
    ['POST', '/auth/passkey/stepup/verify'],
  ])('cannot be used for %s %s, with or without fresh authentication', async (method, path) => {
    const { browser } = await signUpRecovering();
    expectProblem(await browser.request(method, path), 'recovery_session');
    await service.turnClock({ minutes: 11 });
    expectProblem(await browser.request(method, path), 'recovery_session');
  });

  test('can be read, and can be ended by signing out', async () => {
    const person = await signUpRecovering();
    const before = person.browser.copy();
    expect(await currentSession(person.browser)).toMatchObject({ kind: 'recovery', method: 'recovery_code' });
    expect((await person.browser.delete('/auth/session')).status).toBe(204);
    await expectEnded(before);
  });
});

test.each([
  ['GET', '/auth/session'],
  ['GET', '/auth/sessions'],
  ['DELETE', '/auth/sessions'],
  ['DELETE', `/auth/sessions/${unknownId}`],
])('%s %s requires a session', async (method, path) => {
  expectProblem(await service.browser().request(method, path), 'not_authenticated');
});

test('auth.sessionOf reads the session from the database', async () => {
  const person = await signUp(service);
  const { user, session } = person.signedUp.body;
  const headers = cookieHeader(person.browser);
  expect(await service.auth.sessionOf(headers)).toEqual({
    user,
    session,
    fresh: true,
    privileged: true,
    hasUnusedPasskey: false,
  });
  await service.turnClock({ minutes: 10, seconds: 1 });
  expect(await service.auth.sessionOf(headers)).toMatchObject({
    session: { id: session.id },
    fresh: false,
  });
  for (const other of ['', 'x', tokenOf(person.browser).slice(1)])
    expect(await service.auth.sessionOf({ cookie: `latchkey=${other}` })).toBeNull();
});

async function tablesHolding(text: string): Promise<string[]> {
  const { sql } = service.database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'latchkey' order by 1`;
  const holding: string[] = [];
  for (const { name } of tables) {
    const found = await sql`
      select from ${sql(`latchkey.${name}`)} as entry where position(${text} in entry::text) > 0`;
    if (found.length > 0) holding.push(name);
  }
  return holding;
}

/** A browser that passes every response to a callback. */
function recorded(browser: TestAgent, record: (answer: Answer) => void): TestAgent {
  const recording = async (answer: Promise<Answer>) => {
    record(await answer);
    return answer;
  };
  return {
    ...browser,
    get: (...request) => recording(browser.get(...request)),
    post: (...request) => recording(browser.post(...request)),
    delete: (...request) => recording(browser.delete(...request)),
  };
}

async function withBrokenTable(table: string, act: () => Promise<void>): Promise<void> {
  const { sql } = service.database;
  await sql.unsafe(`alter table latchkey.${table} rename to hidden`);
  try {
    await act();
  } finally {
    await sql.unsafe(`alter table latchkey.hidden rename to ${table}`);
  }
}

/** The text of all properties of an error, including those that JSON omits. */
function deepText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.getOwnPropertyNames(value)
    .map((name) => deepText((value as Record<string, unknown>)[name]))
    .join(' ');
}
