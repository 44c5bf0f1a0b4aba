import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { backendsWaiting } from '../support/waiting.ts';
import { isSignedIn } from './support/current-session.ts';
import { whileInserting } from './support/held-insert.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { createLink, enterByCode, generateCodes, useLink } from './support/recovery.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';

const clock = stopCacheExpiry();
let service: TestService;
/** Two processes that listen for notifications, and so cache sessions. */
let first: RememberingService;
let second: RememberingService;
beforeAll(async () => {
  service = await startTestService({ impersonation: true, assistedRecoveryDelaySeconds: 0 });
  first = await startRemembering(service.database.url, { clock });
  second = await startRemembering(service.database.url, { clock });
});
afterAll(async () => {
  await first.close();
  await second.close();
  await service.close();
});
beforeEach(async () => {
  await service.database.sql`delete from latchkey.sessions`;
});

const users = () => service.auth.asOperator('ops').users;
const events = async () =>
  (await service.auth.asOperator('ops').audit.list({ event: 'user.end_all_sessions' })).events;
const rowsIn = async (table: string) =>
  (await service.database.sql`select from ${service.database.sql(`latchkey.${table}`)}`).length;

/** Copies the only session. The table then has `count` sessions. */
const copySessions = (count: number) => service.database.sql`
  insert into latchkey.sessions (id, token_hash, user_id, kind, method, created_at, authenticated_at, last_seen_at,
    expires_at, ends_at, epoch)
  select gen_random_uuid(), 'copy-' || number, user_id, kind, method, created_at, authenticated_at,
    last_seen_at, expires_at, ends_at, epoch
  from latchkey.sessions, generate_series(2, ${count}::integer) as number`;

describe('ending all sessions of all users', () => {
  test('ends full and recovery sessions, and returns how many had not expired', async () => {
    const [ada, ben] = [await signUp(service), await signUp(service)];
    const elsewhere = service.browser();
    await logIn(elsewhere, ben.authenticator);
    const [code] = await generateCodes(ben.browser);
    const recovering = await enterByCode(service, ben, code);
    const expired = service.browser();
    await logIn(expired, ada.authenticator);
    await service.database.sql`
      update latchkey.sessions set expires_at = latchkey.clock()
      where id = (select id from latchkey.sessions where user_id = ${userIdOf(ada)} order by created_at desc limit 1)`;
    expect(await users().endAllSessions()).toEqual({ sessions: 4, recoveryLinks: 0 });
    for (const browser of [ada.browser, ben.browser, elsewhere, recovering, expired])
      expect(await isSignedIn(browser)).toBe(false);
    expect(await rowsIn('sessions')).toBe(0);
    expect((await logIn(service.browser(), ada.authenticator)).status).toBe(200);
  });

  test('records one event with the numbers, even if there was no session', async () => {
    const before = (await events()).length;
    expect(await users().endAllSessions()).toEqual({ sessions: 0, recoveryLinks: 0 });
    expect((await events()).slice(0, -before || undefined)).toMatchObject([
      {
        outcome: 'success',
        actor: { type: 'operator', name: 'ops' },
        target: null,
        details: { sessions: 0, recoveryLinks: 0 },
      },
    ]);
  });

  test('evicts the sessions from the cache of its own process, even without a notification', async () => {
    const person = await signUp(service);
    await first.untilRemembered(person.browser);
    const { sql } = service.database;
    await sql`alter table latchkey.sessions disable trigger sessions_ended`;
    await first.auth.asOperator('ops').users.endAllSessions();
    await sql`alter table latchkey.sessions enable trigger sessions_ended`;
    expect((await first.check(person.browser)).status).toBe(401);
  });

  test('evicts the sessions from the caches of other processes', async () => {
    const person = await signUp(service);
    await second.untilRemembered(person.browser);
    await first.auth.asOperator('ops').users.endAllSessions();
    await eventually(async () => (await second.check(person.browser)).status === 401);
  });

  test('tells watchers of sessions at once, before the interval', async () => {
    const person = await signUp(service);
    const read = await service.auth.sessionOf(cookieHeader(person.browser));
    if (!read) throw new Error('the browser has no session');
    const never = { unref: () => never } as unknown as NodeJS.Timeout;
    vi.spyOn(globalThis, 'setInterval').mockReturnValue(never);
    const reasons: string[] = [];
    const stop = service.auth.watchSession(read, (reason) => reasons.push(reason));
    await users().endAllSessions();
    await eventually(() => reasons.length > 0);
    expect(reasons).toEqual(['ended']);
    stop();
    vi.restoreAllMocks();
  });

  test('deletes impersonation links, because they would open new sessions', async () => {
    const person = await signUp(service);
    const { token } = await users().impersonate(person.username, { reason: 'Ticket 4711' });
    await users().endAllSessions();
    expect(await rowsIn('impersonation_links')).toBe(0);
    const used = await service.browser().post('/auth/impersonation', { token });
    expect(used.status).toBe(401);
  });

  test('keeps recovery links, unless `recoveryLinks` cancels them', async () => {
    const [waiting, entered] = [await signUp(service), await signUp(service)];
    const link = await createLink(service, waiting);
    await useLink(service.browser(), (await createLink(service, entered)).token);
    await users().endAllSessions({ recoveryLinks: false });
    expect(await rowsIn('recovery_links')).toBe(2);
    // The used link no longer opens a session, so it does not count as canceled.
    expect(await users().endAllSessions({ recoveryLinks: true })).toEqual({ sessions: 0, recoveryLinks: 1 });
    expect(await rowsIn('recovery_links')).toBe(0);
    expect((await useLink(service.browser(), link.token)).status).toBe(401);
  });

  test('keeps passkeys, passwords and recovery codes', async () => {
    const person = await signUp(service);
    const codes = await generateCodes(person.browser);
    await users().endAllSessions({ recoveryLinks: true });
    expect((await logIn(person.browser, person.authenticator)).status).toBe(200);
    expect((await person.browser.get('/auth/recovery/codes')).body.remaining).toBe(codes.length);
  });

  test('ends 25000 sessions with statements of at most 10000 sessions and one event each', async () => {
    const person = await signUp(service);
    await copySessions(25_000);
    const sent: string[] = [];
    const recording = await startSecondInstance(service, {}, (text) => sent.push(text));
    const before = (await events()).length;
    const ended = await recording.auth.asOperator('ops').users.endAllSessions();
    await recording.close();
    expect(ended).toEqual({ sessions: 25_000, recoveryLinks: 0 });
    // The last statement finds nothing more, and records no event.
    expect(sent.filter((text) => text.includes('delete from latchkey.sessions'))).toHaveLength(4);
    const details = (await events()).slice(0, -before).map(({ details }) => details?.sessions);
    expect(details).toEqual([5000, 10_000, 10_000]);
    await eventually(async () => !(await isSignedIn(person.browser)));
  });

  test('ends 20,000 sessions, even if the statistics of PostgreSQL say that the table is empty', async () => {
    const { sql } = service.database;
    await signUp(service);
    await copySessions(20_000);
    await sql`delete from latchkey.sessions`;
    await sql`analyze latchkey.sessions`;
    await signUp(service);
    await copySessions(20_000);
    expect(await users().endAllSessions()).toEqual({ sessions: 20_000, recoveryLinks: 0 });
  });

  test('ends a session that an impersonation link opens at the same moment', async () => {
    const person = await signUp(service);
    const { token } = await users().impersonate(person.username, { reason: 'Ticket 4711' });
    const browser = service.browser();
    // The first statement deletes nothing, and the second one must run anyway.
    await service.database.sql`delete from latchkey.sessions`;
    await whileInserting(
      service,
      'sessions',
      () => browser.post('/auth/impersonation', { token }),
      () => users().endAllSessions(),
    );
    expect(await isSignedIn(browser)).toBe(false);
    expect(await rowsIn('sessions')).toBe(0);
  });

  test('ends all sessions if users sign out and use links while a statement waits', async () => {
    const person = await signUp(service);
    const { token } = await users().impersonate(person.username, { reason: 'Ticket 4711' });
    const { sql } = service.database;
    await copySessions(20_001);
    const signOut = await sql.reserve();
    await signOut`begin`;
    // The first statement waits for these rows, whichever 10,000 sessions it chooses.
    await signOut`delete from latchkey.sessions where id = any(array(select id from latchkey.sessions limit 10002))`;
    const ending = users().endAllSessions();
    await eventually(async () => (await backendsWaiting(sql)).length > 0);
    expect((await service.browser().post('/auth/impersonation', { token })).status).toBe(200);
    await signOut`commit`;
    signOut.release();
    await ending;
    expect(await rowsIn('sessions')).toBe(0);
    expect(await rowsIn('impersonation_links')).toBe(0);
  });

  test('refuses a value of `recoveryLinks` other than true and false, and ends nothing', async () => {
    const person = await signUp(service);
    await expect(users().endAllSessions({ recoveryLinks: 'yes' as never })).rejects.toThrow(
      'recoveryLinks: expected true or false',
    );
    expect(await isSignedIn(person.browser)).toBe(true);
  });
});
