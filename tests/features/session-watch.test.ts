import type { AuthService, Database, ReadSession, SessionEnd, Statement } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { eventually } from '../support/eventually.ts';
import { addPasskey, logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { changeRole, deleteUser, disable, signUpAs, usersPath } from './support/authority.ts';
import { addPassword } from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
/** Another process, which learns of changes only through the database. */
let other: Awaited<ReturnType<typeof startServiceOn>>;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, assistedRecoveryDelaySeconds: 0 });
  other = await startServiceOn(service.database.url);
  superadmin = await signUpAs(service, 'superadmin');
});
beforeEach(() => {
  service.logged.length = 0;
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const stops: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) stop();
});

async function sessionOf(auth: AuthService, { browser }: Pick<Person, 'browser'>): Promise<ReadSession> {
  const read = await auth.sessionOf(cookieHeader(browser), { allowRecovery: true });
  if (!read) throw new Error('the browser has no session');
  return read;
}

/** Watches the session of a browser. Returns the list of the reasons. */
async function watched(person: Pick<Person, 'browser'>, auth = service.auth): Promise<SessionEnd[]> {
  const reasons: SessionEnd[] = [];
  stops.push(auth.watchSession(await sessionOf(auth, person), (reason) => reasons.push(reason)));
  return reasons;
}

const sql = () => service.database.sql;

/** Sessions are also read every five seconds. Without this timer, only a notification can be the cause. */
function holdIntervals(): void {
  const never = { unref: () => never } as unknown as NodeJS.Timeout;
  vi.spyOn(globalThis, 'setInterval').mockReturnValue(never);
}

/** Ends another watched session, and waits until its watch calls its function. Sessions are compared in order. */
async function untilCompared(): Promise<void> {
  const witness = await signUp(service);
  const reasons = await watched(witness);
  await witness.browser.delete('/auth/session');
  await eventually(() => reasons.length > 0);
}

test('a watch of a session that has already ended calls its function immediately', async () => {
  const person = await signUp(service);
  const read = await sessionOf(service.auth, person);
  await person.browser.delete('/auth/session');
  holdIntervals();
  const reasons: SessionEnd[] = [];
  stops.push(service.auth.watchSession(read, (reason) => reasons.push(reason)));
  await untilCompared();
  expect(reasons).toEqual(['ended']);
});

test('a watch of a session with an outdated role calls its function', async () => {
  const person = await signUpAs(service, 'admin');
  const read = await sessionOf(service.auth, person);
  await changeRole(superadmin.browser, person, 'user');
  const reasons: SessionEnd[] = [];
  stops.push(service.auth.watchSession(read, (reason) => reasons.push(reason)));
  await untilCompared();
  expect(reasons).toEqual(['changed']);
});

const endings: [what: string, reason: SessionEnd, act: (person: Person) => Promise<unknown>][] = [
  ['the user signs out', 'ended', ({ browser }) => browser.delete('/auth/session')],
  [
    'the user ends this session in another browser',
    'ended',
    async (person) => {
      const elsewhere = service.browser();
      await logIn(elsewhere, person.authenticator);
      await elsewhere.delete('/auth/sessions');
    },
  ],
  [
    'an admin ends the sessions of the user',
    'ended',
    (person) => superadmin.browser.delete(`${usersPath}/${userIdOf(person)}/sessions`),
  ],
  ['an admin disables the user', 'ended', (person) => disable(superadmin.browser, person)],
  ['an admin deletes the user', 'ended', (person) => deleteUser(superadmin.browser, person)],
  ['the user deletes the account', 'ended', ({ browser }) => browser.delete('/auth/account')],
  [
    'an operator disables the user',
    'ended',
    ({ username }) => service.auth.asOperator('ops').users.disable(username),
  ],
  [
    'an admin changes the role of the user',
    'changed',
    (person) => changeRole(superadmin.browser, person, 'admin'),
  ],
  [
    'a passkey is removed in another browser',
    'ended',
    async ({ authenticator, signedUp }) => {
      const elsewhere = service.browser();
      await logIn(elsewhere, authenticator);
      await addPasskey(elsewhere);
      await elsewhere.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`);
    },
  ],
  [
    'the user signs in again in the same browser',
    'ended',
    ({ browser, authenticator }) => logIn(browser, authenticator),
  ],
  [
    'SQL deletes the session',
    'ended',
    (person) => sql()`delete from latchkey.sessions where user_id = ${userIdOf(person)}`,
  ],
];

describe.each([
  ['the process that makes the change', () => service.auth],
  ['another process', () => other.auth],
])('a watch in %s', (_, authOf) => {
  test.each(endings)('calls its function immediately, and only once, when %s', async (what, reason, act) => {
    const person = await signUp(service);
    const bystander = await signUp(service);
    // The first service does not listen to notifications. It learns only of its own changes that name the session.
    if (authOf() === other.auth || !/^SQL|signs in again/.test(what)) holdIntervals();
    const [reasons, others] = [await watched(person, authOf()), await watched(bystander, authOf())];
    const second = await watched(person, authOf());
    await act(person);
    await eventually(() => reasons.length > 0 && second.length > 0);
    expect([reasons, second, others]).toEqual([[reason], [reason], []]);
  });
});

test('a watch also notices that the session ended before the process listened to notifications', async () => {
  const client = postgres(service.database.url, { fetch_types: false, onnotice: () => {} });
  let listenNow = () => {};
  const allowed = new Promise<void>((resolve) => {
    listenNow = resolve;
  });
  let answers = 0;
  const database: Database = {
    async query<Row extends object>({ text, values }: Statement) {
      const rows = await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 });
      answers += 1;
      return [...rows];
    },
    async listen(channel, { onNotification }) {
      await allowed;
      const { unlisten } = await client.listen(channel, onNotification);
      return { close: unlisten };
    },
  };
  const late = await startServiceOn(database);
  try {
    const person = await signUp(service);
    holdIntervals();
    const before = answers;
    const reasons = await watched(person, late.auth);
    await eventually(() => answers >= before + 2);
    await person.browser.delete('/auth/session');
    expect(reasons).toEqual([]);
    listenNow();
    await eventually(() => reasons.length > 0);
    expect(reasons).toEqual(['ended']);
  } finally {
    listenNow();
    await late.close();
    await client.end({ timeout: 1 });
  }
});

test('a watch ends when the session expires, and not before', async () => {
  const instance = await startTestService({ sessionTtlSeconds: 3600, sessionIdleTimeoutSeconds: 600 });
  try {
    const used = await signUp(instance);
    const idle = await signUp(instance);
    const ended = { used: [] as SessionEnd[], idle: [] as SessionEnd[] };
    instance.auth.watchSession(await sessionOf(instance.auth, used), (reason) => ended.used.push(reason));
    instance.auth.watchSession(await sessionOf(instance.auth, idle), (reason) => ended.idle.push(reason));
    await instance.turnClock({ minutes: 6 });
    expect((await used.browser.get('/auth/session')).status).toBe(200);
    await instance.turnClock({ minutes: 5 });
    await eventually(() => ended.idle.length > 0);
    expect(ended).toEqual({ used: [], idle: ['ended'] });
    await instance.turnClock({ minutes: 60 });
    await eventually(() => ended.used.length > 0);
    expect(ended).toEqual({ used: ['ended'], idle: ['ended'] });
  } finally {
    await instance.close();
  }
});

test('a watch does not extend the session', async () => {
  const person = await signUp(service);
  const lastSeen = async () =>
    (await sql()`select last_seen_at::text from latchkey.sessions where user_id = ${userIdOf(person)}`)[0];
  await sql()`
    update latchkey.sessions set last_seen_at = last_seen_at - interval '4 minutes'
    where user_id = ${userIdOf(person)}`;
  const read = await sessionOf(service.auth, person);
  await sql()`
    update latchkey.sessions set last_seen_at = last_seen_at - interval '4 minutes'
    where user_id = ${userIdOf(person)}`;
  const before = await lastSeen();
  service.statements.length = 0;
  stops.push(service.auth.watchSession(read, () => {}));
  await eventually(() => service.statements.some((statement) => statement.includes('string_to_array')));
  expect(await lastSeen()).toEqual(before);
});

test('a watch continues after a step-up, and after a change of the display name', async () => {
  const person = await signUp(service);
  const reasons = await watched(person);
  await stepUp(person.browser, person.authenticator);
  await sql()`update latchkey.users set display_name = 'Ada' where id = ${userIdOf(person)}`;
  const witness = await watched(person);
  await person.browser.delete('/auth/session');
  await eventually(() => witness.length > 0);
  expect([reasons, witness]).toEqual([['ended'], ['ended']]);
});

test('a watch ends when the session loses its privileges', async () => {
  const person = await signUp(service);
  await addPassword(person.browser);
  const reasons = await watched(person);
  await sql()`update latchkey.sessions set method = 'password' where user_id = ${userIdOf(person)}`;
  await eventually(() => reasons.length > 0);
  expect(reasons).toEqual(['changed']);
});

test('a watch of a recovery session calls its function when an admin ends the sessions of the user', async () => {
  const { browser, person } = await startRecovering(service);
  const reasons = await watched({ browser });
  await superadmin.browser.delete(`${usersPath}/${userIdOf(person)}/sessions`);
  await eventually(() => reasons.length > 0);
  expect(reasons).toEqual(['ended']);
});

test('a stopped watch calls no function', async () => {
  const person = await signUp(service);
  const reasons: SessionEnd[] = [];
  const stop = service.auth.watchSession(await sessionOf(service.auth, person), (reason) =>
    reasons.push(reason),
  );
  const witness = await watched(person);
  stop();
  stop();
  await person.browser.delete('/auth/session');
  await eventually(() => witness.length > 0);
  expect(reasons).toEqual([]);
});

test('a function that throws or rejects is logged, and the other functions are called', async () => {
  const person = await signUp(service);
  const read = await sessionOf(service.auth, person);
  const failure = new Error('the app failed');
  service.auth.watchSession(read, () => {
    throw failure;
  });
  service.auth.watchSession(read, () => Promise.reject(failure));
  const reasons = await watched(person);
  await person.browser.delete('/auth/session');
  await eventually(() => reasons.length > 0 && service.logged.length > 1);
  const entry = {
    level: 'error',
    fields: { err: failure },
    message: 'a function of auth.watchSession failed',
  };
  expect(service.logged).toEqual([entry, entry]);
});

test('while the database is unreachable, a watch continues until the known expiry', async () => {
  const [early, late] = [await signUp(service), await signUp(service)];
  await sql()`
    update latchkey.sessions set expires_at = latchkey.clock() + interval '20 minutes'
    where user_id = ${userIdOf(early)}`;
  const [ended, open] = [await watched(early), await watched(late)];
  await sql()`alter table latchkey.sessions rename to mislaid`;
  try {
    await service.turnClock({ minutes: 21 });
    await eventually(() => ended.length > 0);
    expect([ended, open]).toEqual([['ended'], []]);
    const warnings = service.logged.filter(({ message }) =>
      message.startsWith('cannot read watched sessions'),
    );
    expect(warnings).toEqual([
      {
        level: 'warn',
        fields: { err: expect.any(Error) },
        message: 'cannot read watched sessions, so auth.watchSession notices their end later',
      },
    ]);
  } finally {
    await sql()`alter table latchkey.mislaid rename to sessions`;
  }
});

test.each<[what: string, given: unknown[], message: RegExp]>([
  [
    'null, which `sessionOf` returns without a session',
    [null, () => {}],
    /expected the result of sessionOf or requireAccess/,
  ],
  [
    'a promise',
    [Promise.resolve({}), () => {}],
    /expected the result of sessionOf or requireAccess \(await it\)/,
  ],
  ['a call without a function', ['read'], /expected a function as the second argument/],
])('refuses %s', async (_, given, message) => {
  const read = await sessionOf(service.auth, superadmin);
  const values = given.map((value) => (value === 'read' ? read : value));
  const watch = service.auth.watchSession as (...values: unknown[]) => unknown;
  expect(() => watch(...values)).toThrow(message);
});

test('with the in-memory database, a watch calls its function when the session ends', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  try {
    const [person, bystander] = [await signUp(inMemory), await signUp(inMemory)];
    const [reasons, others] = [await watched(person, inMemory.auth), await watched(bystander, inMemory.auth)];
    await person.browser.delete('/auth/session');
    await eventually(() => reasons.length > 0);
    expect([reasons, others]).toEqual([['ended'], []]);
  } finally {
    await inMemory.close();
  }
});
