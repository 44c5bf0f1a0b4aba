import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import {
  logIn,
  newAuthenticator,
  newUsername,
  type Person,
  signUp,
  signUpStart,
  userIdOf,
} from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { sending } from '../support/sending.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { type AuditRow, startTestService, type TestService } from '../support/test-service.ts';
import {
  accept,
  admit,
  deleteAccount,
  disable,
  enable,
  found,
  help,
  inviteTo,
  leaveSuperadmins,
  postInvitation,
  signUpAs,
} from './support/authority.ts';
import { erase, everyRow, pseudonymPattern } from './support/erasure.ts';
import { whileInserting } from './support/held-insert.ts';
import { addPassword, logInByPassword, wrongPassword } from './support/passwords.ts';
import { generateCodes, useCode } from './support/recovery.ts';

const address = '203.0.113.77';
const userAgent = 'Homemade Browser 7.1';
const label = 'Phone of Mr. Example';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, trustedProxies: 1 });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const eventsAbout = async (person: Person) =>
  (await service.auditRows()).filter(({ target_id: id }) => id === userIdOf(person));

/** Signs up a user with a unique IP address and browser, and sends requests that store personal data. */
async function liveThere(): Promise<Person> {
  const username = newUsername('trace');
  const { browser: boss } = superadmin;
  const own = (agent = service.browser()) =>
    sending(agent, { 'User-Agent': userAgent, 'X-Forwarded-For': address });
  // Before the account exists: an invitation of an unknown username is refused, and an admin invitation contains it.
  const club = await found(boss);
  expectProblem(await inviteTo(boss, club, { username }), 'not_found');
  const { token } = (await postInvitation(boss, { username })).body;
  await postInvitation(boss, { username });

  const late = own();
  const credential = await newAuthenticator().create(await signUpStart(late, username));
  const person = await signUp(service, { username, browser: own() });
  // With the account: a refused sign-up, refused sign-ins, and the user's own changes.
  expectProblem(await late.post('/auth/passkey/register/verify', { credential }), 'username_taken');
  await addPassword(person.browser);
  await logInByPassword(own(), person, wrongPassword);
  const { id } = person.signedUp.body.passkey;
  expect((await person.browser.patch(`/auth/passkey/devices/${id}`, { label })).status).toBe(200);
  expect((await logIn(own(), person.authenticator)).status).toBe(200);
  const tamper = { clientData: { origin: 'https://evil.example' } };
  expect((await logIn(own(), person.authenticator, { tamper })).status).toBe(401);
  const codes = await generateCodes(person.browser);
  await useCode(own(), person, `${codes[0]?.slice(0, -1)}`);

  // What others do with the user.
  await admit(boss, club, person);
  const other = await found(boss);
  await inviteTo(boss, other, { username });
  await boss.delete(`/auth/organizations/${other.id}`);
  await help(boss, person);
  await disable(boss, person);
  await enable(boss, person);
  await logIn(person.browser, person.authenticator);
  expect((await accept(person.browser, token)).status).toBe(200);
  await service.auth.asOperator('ops').users.changeRole(username, 'user');
  return person;
}

describe('erasing a user', () => {
  test('removes the username, IP address, browser, passkey name and passkey id from every row', async () => {
    const person = await liveThere();
    const traces = [
      person.username,
      address,
      userAgent,
      label,
      person.authenticator.credentials[0]?.id ?? '',
    ];
    const before = await everyRow(service);
    for (const trace of traces)
      expect(
        before.some((row) => row.includes(trace)),
        trace,
      ).toBe(true);

    const { pseudonym } = await erase(service, userIdOf(person));
    expect(pseudonym).toMatch(pseudonymPattern);
    const after = await everyRow(service);
    expect(after.filter((row) => traces.some((trace) => row.includes(trace)))).toEqual([]);
    const [row] = await service.database.sql`select * from latchkey.users where id = ${userIdOf(person)}`;
    expect(row).toEqual({
      id: userIdOf(person),
      username: null,
      skeleton: null,
      display_name: null,
      fields: {},
      username_since: null,
      role: 'user',
      status: 'disabled',
      disabled_reason: null,
      user_handle: null,
      version: expect.any(Number),
      created_at: null,
      password_hash: null,
      session_epoch: expect.any(Number),
      deleted_at: expect.any(Date),
      erased_at: expect.any(Date),
    });
  });

  test('replaces only personal data of this user: all other columns and all other events stay the same', async () => {
    const person = await liveThere();
    const bystander = await signUp(service);
    await service.auth.asOperator('privacy desk').users.delete(person.username);
    const before = await service.auditRows();
    const { pseudonym, events } = await erase(service, userIdOf(person));
    const after = await service.auditRows();
    expect(after.slice(before.length).map(({ event }) => event)).toEqual(['user.erase']);

    const changed = before.flatMap((row, index) => {
      const now = after[index] as AuditRow;
      const { actor_name: _, target_name: __, ip: ___, user_agent: ____, ...kept } = row;
      expect(now).toMatchObject(kept);
      return JSON.stringify(now) === JSON.stringify(row) ? [] : [{ row, now }];
    });
    expect(changed).toHaveLength(events);
    for (const { row, now } of changed) {
      const isOwn = row.actor_id === userIdOf(person);
      expect(now.actor_name).toBe(isOwn ? pseudonym : row.actor_name);
      // The IP address of a caller who is not signed in can be the user's. That of another user is not.
      const isSender = isOwn || row.actor_type === 'anonymous';
      expect([now.ip, now.user_agent]).toEqual(
        isSender ? [row.ip && pseudonym, row.user_agent && pseudonym] : [row.ip, row.user_agent],
      );
    }
    expect(changed.map(({ row }) => row.actor_id)).toContain(userIdOf(superadmin));
    expect(await eventsAbout(bystander)).toMatchObject([{ actor_name: bystander.username, ip: '127.0.0.1' }]);
  });

  test('gives a user the same pseudonym in all events, and two users different pseudonyms', async () => {
    const [one, other] = [await signUp(service), await signUp(service)];
    const pseudonyms = [await erase(service, userIdOf(one)), await erase(service, userIdOf(other))].map(
      ({ pseudonym }) => pseudonym,
    );
    expect(new Set(pseudonyms).size).toBe(2);
    for (const [index, person] of [one, other].entries()) {
      const names = (await eventsAbout(person)).flatMap(({ actor_type: type, actor_name, target_name }) =>
        type === 'user' ? [actor_name, target_name] : [target_name],
      );
      expect(new Set(names)).toEqual(new Set([pseudonyms[index]]));
    }
  });

  test('is recorded with the operator and the number of changed events, without the username', async () => {
    const heard: unknown[] = [];
    const stop = service.auth.on('user.erase', (event) => heard.push(event));
    const person = await signUp(service);
    const { pseudonym } = await erase(service, userIdOf(person));
    const rows = await eventsAbout(person);
    expect(rows.map(({ event }) => event)).toEqual(['account.signup', 'user.delete', 'user.erase']);
    expect(rows.at(-1)).toMatchObject({
      outcome: 'success',
      actor_type: 'operator',
      actor_id: null,
      actor_name: 'privacy desk',
      target_type: 'user',
      target_name: pseudonym,
      ip: null,
      details: { events: 2 },
    });
    await eventually(() => heard.length > 0);
    expect(heard).toMatchObject([{ event: 'user.erase', target: { name: pseudonym } }]);
    stop();
  });

  test('ends the sessions, and a sign-in with the passkey fails without a reason', async () => {
    const person = await signUp(service);
    await erase(service, userIdOf(person));
    expectProblem(await person.browser.get('/auth/session'), 'not_authenticated');
    const answer = await logIn(service.browser(), person.authenticator);
    expectProblem(answer, 'authentication_failed');
    expect(answer.body.reason).toBeUndefined();
  });

  test('also erases a user who was deleted earlier', async () => {
    const person = await signUp(service);
    await deleteAccount(person.browser);
    const { events } = await erase(service, userIdOf(person));
    expect(events).toBe(2);
    expect((await everyRow(service)).filter((row) => row.includes(person.username))).toEqual([]);
  });

  test('a second time returns the same pseudonym, and changes and records nothing', async () => {
    const person = await signUp(service);
    const { pseudonym } = await erase(service, userIdOf(person));
    const before = await everyRow(service);
    expect(await erase(service, userIdOf(person))).toEqual({ id: userIdOf(person), pseudonym, events: 0 });
    expect(await everyRow(service)).toEqual(before);
  });

  test('a second time changes an event that a slow request recorded in the meantime', async () => {
    const person = await signUp(service);
    const { pseudonym } = await erase(service, userIdOf(person));
    await service.database.sql`
      insert into latchkey.audit_events
        (id, at, event, outcome, actor_type, actor_id, actor_name, ip, details)
      values (gen_random_uuid(), latchkey.clock(), 'session.logout', 'success', 'user', ${userIdOf(person)},
        ${person.username}, ${address}, '{}')`;
    expect(await erase(service, userIdOf(person))).toEqual({ id: userIdOf(person), pseudonym, events: 1 });
    expect((await everyRow(service)).filter((row) => row.includes(person.username))).toEqual([]);
    expect((await eventsAbout(person)).filter(({ event }) => event === 'user.erase')).toHaveLength(2);
  });

  test('by four callers at the same time gives one result and one event', async () => {
    const person = await signUp(service);
    const results = await Promise.all([1, 2, 3, 4].map(() => erase(service, userIdOf(person))));
    expect(new Set(results.map(({ pseudonym }) => pseudonym)).size).toBe(1);
    const recorded = (await eventsAbout(person)).filter(({ event }) => event === 'user.erase');
    expect(recorded).toHaveLength(1);
    expect(results.map(({ events }) => events).sort()).toEqual([0, 0, 0, recorded[0]?.details.events]);
  });

  test('is refused for an id that no user ever had, and for a username', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000';
    const before = await everyRow(service);
    await expect(erase(service, unknown)).rejects.toMatchObject({ name: 'AuthError', code: 'not_found' });
    await expect(erase(service, superadmin.username)).rejects.toThrow(/^id: expected a UUID, not /);
    expect(await everyRow(service)).toEqual(before);
  });

  test('is refused for the last active superadmin, and changes no event', async () => {
    await leaveSuperadmins(service, [superadmin]);
    const before = await service.auditRows();
    await expect(erase(service, userIdOf(superadmin))).rejects.toMatchObject({ code: 'last_superadmin' });
    const after = await service.auditRows();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([{ event: 'user.delete', outcome: 'failure' }]);
    expect((await superadmin.browser.get('/auth/session')).status).toBe(200);
  });

  test('changes nothing if the audit log cannot record the erasure', async () => {
    const person = await signUp(service);
    await deleteAccount(person.browser);
    const { sql } = service.database;
    const before = await everyRow(service);
    await sql`alter table latchkey.audit_events add constraint full_log check (event <> 'user.erase') not valid`;
    await expect(erase(service, userIdOf(person))).rejects.toMatchObject({ code: '23514' });
    expect(await everyRow(service)).toEqual(before);
    await sql`alter table latchkey.audit_events drop constraint full_log`;
  });
});

describe('the username of an erased user', () => {
  test('stays taken by default, as for every deleted account', async () => {
    const { username, signedUp } = await signUp(service);
    await erase(service, signedUp.body.user.id);
    expect(await service.auth.users.checkAvailability(username)).toEqual({
      username,
      available: false,
      reason: 'taken',
    });
    expectProblem(
      await service.browser().post('/auth/passkey/register/start', { username }),
      'username_taken',
    );
    const invited = await postInvitation(superadmin.browser, { username });
    expectProblem(invited, 'username_unacceptable', { reason: 'reserved' });
  });

  // The sign-up waits before its insert until the erasure has removed the username from the unique index.
  test('stays taken for a sign-up that inserts its account during the erasure', async () => {
    const username = newUsername('late');
    const late = service.browser();
    const credential = await newAuthenticator().create(await signUpStart(late, username));
    const person = await signUp(service, { username });
    const answer = await whileInserting(
      service,
      'users',
      () => late.post('/auth/passkey/register/verify', { credential }),
      () => erase(service, userIdOf(person)),
    );
    expectProblem(answer, 'username_taken');
    const rows = await service.database.sql`select from latchkey.users where username = ${username}`;
    expect(rows).toHaveLength(0);
  });

  test('is stored only as a digest, with the day after the deletion and no id of the user', async () => {
    const { sql } = service.database;
    await sql`delete from latchkey.erased_usernames`;
    const { signedUp } = await signUp(service);
    const tomorrow = async () =>
      (await sql`select date_trunc('day', latchkey.clock(), 'UTC') + interval '1 day' as day`)[0]?.day;
    const days = [await tomorrow()];
    await erase(service, signedUp.body.user.id);
    days.push(await tomorrow());
    const rows = await sql`select * from latchkey.erased_usernames`;
    expect(rows).toEqual([
      { digest: expect.stringMatching(/^[\da-f]{64}$/), deleted_before: expect.any(Date) },
    ]);
    expect(days).toContainEqual(rows[0]?.deleted_before);
  });
});

describe('with a username that two users had, one after the other,', () => {
  /** Two users with the same username. Each has a refused sign-up, whose event has the username but no id. */
  async function twoUsers() {
    const username = newUsername('twice');
    const { sql } = service.database;
    const refusedSignUp = async () => {
      const browser = service.browser();
      const credential = await newAuthenticator().create(await signUpStart(browser, username));
      return () => browser.post('/auth/passkey/register/verify', { credential });
    };
    const first = await refusedSignUp();
    const earlier = await signUp(service, { username });
    expectProblem(await first(), 'username_taken');
    await deleteAccount(earlier.browser);
    await sql`update latchkey.users set username = null where id = ${userIdOf(earlier)}`;
    await sql`
      insert into latchkey.audit_events
        (id, at, event, outcome, actor_type, target_type, target_id, target_name, details)
      values (gen_random_uuid(), latchkey.clock(), 'user.release_username', 'success', 'system', 'user',
        ${userIdOf(earlier)}, ${username}, '{}')`;
    const second = await refusedSignUp();
    const later = await signUp(service, { username });
    expectProblem(await second(), 'username_taken');
    const namesOfRefused = async () =>
      (await service.auditRows())
        .filter(
          ({ event, outcome, target_name: name }) =>
            event === 'account.signup' && outcome === 'failure' && name,
        )
        .map(({ target_name: name }) => name)
        .slice(-2);
    return { username, earlier, later, namesOfRefused };
  }

  test('erasing the earlier user changes no event of the later user', async () => {
    const { username, earlier, later, namesOfRefused } = await twoUsers();
    const before = await eventsAbout(later);
    const { pseudonym } = await erase(service, userIdOf(earlier));
    expect(await eventsAbout(later)).toEqual(before);
    expect(await namesOfRefused()).toEqual([pseudonym, username]);
    expect((await later.browser.get('/auth/session')).body.user.username).toBe(username);
  });

  test('erasing the later user changes no event of the earlier user', async () => {
    const { username, earlier, later, namesOfRefused } = await twoUsers();
    const before = await eventsAbout(earlier);
    const { pseudonym } = await erase(service, userIdOf(later));
    expect(await eventsAbout(earlier)).toEqual(before);
    expect(await namesOfRefused()).toEqual([username, pseudonym]);
  });
});

test('refusals that are counted before an erasure and recorded after it contain no username', async () => {
  const counting: ServiceOn = await startSecondInstance(service, { bcryptCost: 4, auditBurstThreshold: 1 });
  const person = await signUp(service);
  await addPassword(person.browser);
  for (let guess = 0; guess < 3; guess += 1) await logInByPassword(counting.browser(), person, wrongPassword);
  await erase(service, userIdOf(person));
  // Closing records the counted refusals.
  await counting.close();
  const burst = (await eventsAbout(person)).find(({ count }) => count !== null);
  expect(burst).toMatchObject({ event: 'password.login', count: 2, target_name: null });
});
