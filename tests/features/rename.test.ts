import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
import { startTestService, type TestService } from '../support/test-service.ts';
import { accept, deleteUser, found, invite, inviteTo, signUpAs, usersPath } from './support/authority.ts';
import { erase, everyRow } from './support/erasure.ts';
import { addPassword, logInByPassword } from './support/passwords.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, usernames: { change: 'user' } });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const rename = ({ browser }: Pick<Person, 'browser'>, username: string) =>
  browser.put('/auth/account/username', { username });
const renameOther = (person: Person, username: string, { browser } = superadmin) =>
  browser.put(`${usersPath}/${userIdOf(person)}/username`, { username });
const startSignUp = (username: string) =>
  service.browser().post('/auth/passkey/register/start', { username });
const eventsOf = async (person: Person) =>
  (await service.auditRows()).filter(
    ({ event, target_id: id }) =>
      /\.rename$/.test(event) && /^(account|user)/.test(event) && id === userIdOf(person),
  );
describe('a user who changes their username', () => {
  test('keeps the id, the passkeys and the sessions, and signs in with the new username', async () => {
    const person = await signUp(service);
    const other = service.browser();
    await logIn(other, person.authenticator);
    const next = newUsername('next');
    const answer = await rename(person, ` ${next.toUpperCase()} `);
    expect([answer.status, answer.body.user]).toEqual([
      200,
      { ...person.signedUp.body.user, username: next },
    ]);
    for (const browser of [person.browser, other])
      expect((await browser.get('/auth/session')).body.user.username).toBe(next);
    const again = await logIn(service.browser(), person.authenticator, { username: next });
    expect([again.status, again.body.user.id]).toEqual([200, userIdOf(person)]);
  });

  test('can no longer sign in with the password and the earlier username', async () => {
    const person = await signUp(service);
    const next = newUsername('next');
    await addPassword(person.browser);
    await rename(person, next);
    expectProblem(await logInByPassword(service.browser(), person), 'authentication_failed');
    expect((await logInByPassword(service.browser(), { username: next })).status).toBe(200);
  });

  test('leaves the earlier and the new username in the audit log', async () => {
    const person = await signUp(service);
    const next = newUsername('next');
    await rename(person, next);
    expect(await eventsOf(person)).toEqual([
      expect.objectContaining({
        event: 'account.rename',
        outcome: 'success',
        actor_name: person.username,
        target_name: person.username,
        details: { to: next, movedInvitations: 0, revokedInvitations: 0 },
      }),
    ]);
  });

  test('changes nothing if the username stays the same', async () => {
    const person = await signUp(service);
    expect((await rename(person, person.username.toUpperCase())).status).toBe(200);
    expect(await eventsOf(person)).toEqual([]);
  });

  test.each([
    ['invalid', 'no', 'username_unacceptable', 'invalid'],
    ['reserved', 'adm1n', 'username_unacceptable', 'reserved'],
  ] as const)('cannot choose %s usernames, and the log says why', async (_, username, code, reason) => {
    const person = await signUp(service);
    expectProblem(await rename(person, username), code, { reason });
    expect(await eventsOf(person)).toEqual([
      expect.objectContaining({ outcome: 'failure', details: { reason } }),
    ]);
  });

  test('cannot choose the username of another user, and the log says why', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    expectProblem(await rename(person, other.username), 'username_taken');
    expect(await eventsOf(person)).toEqual([
      expect.objectContaining({ outcome: 'failure', details: { reason: 'username_taken' } }),
    ]);
  });

  test('needs fresh authentication', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 11 });
    expectProblem(await rename(person, newUsername()), 'reauthentication_required');
    await service.turnClock({ minutes: -11 });
  });
});

describe('an earlier username', () => {
  test('stays taken for all other users, but its user can go back to it', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const next = newUsername('next');
    await rename(person, next);
    expectProblem(await startSignUp(person.username), 'username_taken');
    expectProblem(await rename(other, person.username), 'username_taken');
    expectProblem(await renameOther(other, person.username), 'username_taken');
    expect((await rename(person, person.username)).status).toBe(200);
    expectProblem(await rename(other, next), 'username_taken');
    expect((await rename(person, next)).status).toBe(200);
  });

  test('is one of at most ten: with ten, the user can only go back to one of them', async () => {
    const person = await signUp(service);
    for (let count = 0; count < 10; count += 1)
      expect((await rename(person, newUsername('squat'))).status).toBe(200);
    expectProblem(await rename(person, newUsername('squat')), 'too_many_usernames');
    expect((await rename(person, person.username)).status).toBe(200);
  });

  test('is not given to a sign-up that started before the change', async () => {
    const person = await signUp(service);
    const next = newUsername('next');
    const newcomer = service.browser();
    const options = await signUpStart(newcomer, next);
    await rename(person, next);
    await rename(person, newUsername('last'));
    const credential = await newAuthenticator().create(options);
    expectProblem(await newcomer.post('/auth/passkey/register/verify', { credential }), 'username_taken');
  });
});

describe('an admin invitation', () => {
  test('that has expired is neither changed nor counted', async () => {
    const { invitations, users } = service.auth.asOperator('ops');
    const [person, next] = [await signUp(service), newUsername('next')];
    await invitations.create({ username: person.username, expiresInHours: 1 });
    await invitations.create({ username: next, expiresInHours: 1 });
    await service.turnClock({ minutes: 61 });
    await users.rename(person.username, next);
    await service.turnClock({ minutes: -61 });
    expect((await eventsOf(person))[0]?.details).toEqual({
      to: next,
      movedInvitations: 0,
      revokedInvitations: 0,
    });
  });

  test('follows the invited user to the new username', async () => {
    const person = await signUp(service);
    const next = newUsername('next');
    const token = await invite(superadmin.browser, { username: person.username });
    await rename(person, next);
    const [event] = await eventsOf(person);
    expect(event?.details).toEqual({ to: next, movedInvitations: 1, revokedInvitations: 0 });
    expect((await accept(person.browser, token)).body.invitation.username).toBe(next);
  });

  test('that is older than the account with its username is revoked, and does not follow the user', async () => {
    const name = newUsername('early');
    const token = await invite(superadmin.browser, { username: name });
    const person = await signUp(service, { username: name });
    await rename(person, newUsername('next'));
    expect((await eventsOf(person))[0]?.details).toMatchObject({
      movedInvitations: 0,
      revokedInvitations: 1,
    });
    expectProblem(await accept(person.browser, token), 'invitation_for_another_user');
    expectProblem(
      await rename(person, name).then(() => accept(person.browser, token)),
      'invitation_unusable',
    );
  });

  test('for a username without an account is revoked when a user changes to this username', async () => {
    const name = newUsername('carol');
    const token = await invite(superadmin.browser, { username: name });
    const person = await signUp(service);
    await rename(person, name);
    expect((await eventsOf(person))[0]?.details).toMatchObject({
      movedInvitations: 0,
      revokedInvitations: 1,
    });
    expectProblem(await accept(person.browser, token), 'invitation_unusable');
  });
});

test('an invitation to an organization stays with the invited user', async () => {
  const [person, later] = [await signUp(service), await signUp(service)];
  const club = await found(superadmin.browser);
  const { body } = await inviteTo(superadmin.browser, club, { username: person.username });
  await rename(person, newUsername('next'));
  const path = `/auth/invitations/${body.invitation.id}/accept`;
  expectProblem(await later.browser.post(path), 'invitation_not_found');
  expect((await person.browser.post(path)).status).toBe(200);
});

describe('the option usernames.change', () => {
  const changes = [
    ['never', 'forbidden', 'forbidden'],
    ['admin', 'forbidden', 200],
    ['user', 200, 200],
  ] as const;
  test.each(changes)('%s: a change by the user: %s, by an admin: %s', async (change, own, byAdmin) => {
    const instance = await startSecondInstance(service, { usernames: { change } });
    const person = await signUp(service);
    const self = instance.browser(person.browser.cookies);
    const answers = [
      await rename({ browser: self }, newUsername('own')),
      await renameOther(person, newUsername('given'), {
        ...superadmin,
        browser: instance.browser(superadmin.browser.cookies),
      }),
    ];
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([own, byAdmin]);
    const refused = (await eventsOf(person)).filter(({ outcome }) => outcome === 'failure');
    expect(refused).toHaveLength([own, byAdmin].filter((outcome) => outcome === 'forbidden').length);
    for (const { details } of refused) expect(details).toEqual({ reason: 'username_change_not_allowed' });
    const operator = instance.auth.asOperator('ops').users;
    const { username } = (await person.browser.get('/auth/session')).body.user;
    expect((await operator.rename(username, newUsername('by-operator'))).id).toBe(userIdOf(person));
    await instance.close();
  });
});

test('erasing a user removes every username that the user had', async () => {
  const names = ['erased-a', 'erased-b', 'erased-c'].map((stem) => newUsername(stem));
  const [first = '', second = '', third = ''] = names;
  const person = await signUp(service, { username: first });
  await rename(person, second);
  await renameOther(person, third);
  await deleteUser(superadmin.browser, person);
  await erase(service, userIdOf(person));
  const lines = (await everyRow(service)).filter((line) => names.some((name) => line.includes(name)));
  expect(lines).toEqual([]);
  for (const name of names) expectProblem(await startSignUp(name), 'username_taken');
});

test('erasing a user removes an earlier username from events that are older than the release of another username', async () => {
  const [first, released] = [newUsername('first'), newUsername('released')];
  const { sql } = service.database;
  const stranger = service.browser();
  const credential = await newAuthenticator().create(await signUpStart(stranger, first));
  await invite(superadmin.browser, { username: first });
  const person = await signUp(service, { username: first });
  expectProblem(await stranger.post('/auth/passkey/register/verify', { credential }), 'username_taken');
  const other = await signUp(service, { username: released });
  await deleteUser(superadmin.browser, other);
  // Releases the username, as the service does it after `deletedUsernameReleaseDays`.
  await sql`update latchkey.users set username = null where id = ${userIdOf(other)}`;
  await sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, target_type, target_id, target_name, details)
    values (gen_random_uuid(), latchkey.clock(), 'user.release_username', 'success', 'system', 'user',
      ${userIdOf(other)}, ${released}, '{}')`;
  await rename(person, released);
  await deleteUser(superadmin.browser, person);
  const eventsOfOther = async () =>
    (await service.auditRows()).filter(({ target_id: id }) => id === userIdOf(other));
  const before = await eventsOfOther();
  await erase(service, userIdOf(person));
  expect((await everyRow(service)).filter((line) => line.includes(first))).toEqual([]);
  expect(await eventsOfOther()).toEqual(before);
});
