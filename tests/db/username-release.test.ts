import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import {
  accept,
  auditPath,
  deleteAccount,
  invitationsPath,
  postInvitation,
  signUpAs,
} from '../features/support/authority.ts';
import { generateCodes, useCode } from '../features/support/recovery.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { sortedStatuses, together } from '../support/many-requests.ts';
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
import { rounds } from '../support/rounds.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';

const days = 30;
const day = 24 * 60 * 60;
const options = { deletedUsernameReleaseDays: days };

let service: TestService;
let second: ServiceOn;
beforeAll(async () => {
  service = await startFrozenService(options);
  second = await startSecondInstance(service, options);
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, second));

const clean = (of: Pick<TestService, 'auth'> = service) => removeExpired(runtimeOf(of.auth));

async function signUpAndDelete(username = newUsername('gone')): Promise<Person> {
  const person = await signUp(service, { username });
  expect((await deleteAccount(person.browser)).status).toBe(204);
  return person;
}

/** Signs up, deletes the account, and lets the service release the username. */
async function signUpAndRelease(username?: string): Promise<Person> {
  const person = await signUpAndDelete(username);
  await service.turnClock({ seconds: days * day });
  await clean();
  return person;
}

const isAvailable = async (username: string) => {
  const { available, reason } = await service.auth.users.checkAvailability(username);
  return { available, reason };
};
const released = { available: true, reason: null };
const taken = { available: false, reason: 'taken' };

const releasesOf = async (person: Person) =>
  (await service.auditRows()).filter(
    ({ event, target_id: id }) => event === 'user.release_username' && id === userIdOf(person),
  );

describe('the username of a deleted account', () => {
  test('is released together with the earlier usernames of the account', async () => {
    const person = await signUp(service);
    const next = newUsername('next');
    await service.auth.asOperator('ops').users.rename(person.username, next);
    await deleteAccount(person.browser);
    await clean();
    expect(await isAvailable(person.username)).toEqual(taken);
    await service.turnClock({ seconds: days * day });
    await clean();
    expect(await isAvailable(person.username)).toEqual(released);
    expect(await isAvailable(next)).toEqual(released);
    const names = (await releasesOf(person)).map(({ target_name: name }) => name);
    expect(names).toEqual([person.username, next]);
  });

  test('stays taken permanently by default', async () => {
    const byDefault = await startFrozenService();
    const { username, browser } = await signUp(byDefault);
    await deleteAccount(browser);
    await byDefault.turnClock({ minutes: 100 * 365 * 24 * 60 });
    await clean(byDefault);
    const start = await byDefault.browser().post('/auth/passkey/register/start', { username });
    expectProblem(start, 'username_taken');
    await byDefault.close();
  });

  test('stays taken for the configured days, and is available from the first clean-up after them', async () => {
    const person = await signUpAndDelete();
    const { username } = person;
    await service.turnClock({ seconds: days * day - 1 });
    await clean();
    expect(await isAvailable(username)).toEqual(taken);
    expect(await releasesOf(person)).toEqual([]);

    await service.turnClock({ seconds: 1 });
    expect(await isAvailable(username)).toEqual(taken);
    await clean();
    expect(await isAvailable(username)).toEqual(released);
    const answer = await service.browser().get(`/auth/username/availability?username=${username}`);
    expect(answer.body).toMatchObject({ available: true });
    const next = await signUp(service, { username });
    expect(userIdOf(next)).not.toBe(userIdOf(person));
    expect(await isAvailable(username)).toEqual(taken);
  });

  test('is released once by concurrent clean-ups of two processes, and the audit log contains the id', async () => {
    const person = await signUpAndDelete();
    await service.turnClock({ seconds: days * day });
    await Promise.all([clean(), clean(second), clean(), clean(second)]);
    expect(await releasesOf(person)).toMatchObject([
      {
        outcome: 'success',
        actor_type: 'system',
        actor_id: null,
        target_type: 'user',
        target_id: userIdOf(person),
        target_name: person.username,
        ip: null,
        details: {},
      },
    ]);
  });

  test('is not released if the audit log cannot record the release', async () => {
    const { username } = await signUpAndDelete();
    await service.turnClock({ seconds: days * day });
    const { sql } = service.database;
    await sql`
      alter table latchkey.audit_events add constraint full_log check (event <> 'user.release_username') not valid`;
    await clean();
    expect(service.logged.splice(0)).toMatchObject([{ level: 'warn', fields: { err: { code: '23514' } } }]);
    expect(await isAvailable(username)).toEqual(taken);
    await sql`alter table latchkey.audit_events drop constraint full_log`;
    await clean();
    expect(await isAvailable(username)).toEqual(released);
  });

  test('is released without releasing the usernames of active and disabled accounts', async () => {
    const [old, disabled] = [await signUp(service), await signUp(service)];
    await service.auth.asOperator('ops').users.disable(disabled.username);
    await signUpAndRelease();
    for (const { username } of [old, disabled]) expect(await isAvailable(username)).toEqual(taken);
  });
});

test(`of four sign-ups that finish with a released username at the same time in two processes, one succeeds (${rounds} rounds)`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { username } = await signUpAndRelease();
    const prepared = await Promise.all(
      [service, second, service, second].map(async (process) => {
        const browser = process.browser();
        const credential = await newAuthenticator().create(await signUpStart(browser, username));
        return () => browser.post('/auth/passkey/register/verify', { credential });
      }),
    );
    expect(sortedStatuses(await together(prepared))).toEqual([201, 409, 409, 409]);
    const rows = await service.database.sql`select id from latchkey.users where username = ${username}`;
    expect(rows).toHaveLength(1);
  }
});

test(`sign-ups during the release get the username once or not at all (${rounds} rounds)`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const username = newUsername('early');
    // These sign-ups start before the first user signs up.
    const browsers = [service.browser(), second.browser()];
    const ceremonies = await Promise.all(
      browsers.map(async (browser) => ({
        browser,
        credential: await newAuthenticator().create(await signUpStart(browser, username)),
      })),
    );
    await signUpAndDelete(username);
    await service.database.sql`
      update latchkey.users set deleted_at = latchkey.clock() - interval '31 days' where username = ${username}`;
    const [, ...answers] = await Promise.all([
      clean(),
      ...ceremonies.map(({ browser, credential }) =>
        browser.post('/auth/passkey/register/verify', { credential }),
      ),
    ]);
    expect(['201,409', '409,409']).toContain(`${sortedStatuses(answers)}`);
    const rows = await service.database.sql`select id from latchkey.users where username = ${username}`;
    expect(rows.length).toBe(answers.filter(({ status }) => status === 201).length);
  }
});

describe('a new account with a released username', () => {
  test('cannot be opened with the passkey or a recovery code of the earlier account', async () => {
    const earlier = await signUp(service);
    const { username } = earlier;
    const [code] = await generateCodes(earlier.browser);
    await deleteAccount(earlier.browser);
    await service.turnClock({ seconds: days * day });
    await clean();
    await signUp(service, { username });
    const answer = await logIn(service.browser(), earlier.authenticator);
    expectProblem(answer, 'authentication_failed', { reason: 'unknown_credential' });
    expectProblem(await useCode(service.browser(), { username }, code), 'authentication_failed');
  });

  test('does not get the admin invitation of the earlier user', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const earlier = await signUp(service);
    const { username } = earlier;
    const { invitation, token } = (
      await postInvitation(superadmin.browser, { username, expiresInHours: 720 })
    ).body;
    await deleteAccount(earlier.browser);
    await service.database.sql`
      update latchkey.users set deleted_at = latchkey.clock() - interval '31 days' where username = ${username}`;
    await clean();
    const next = await signUp(service, { username });
    expectProblem(await accept(next.browser, token), 'invitation_unusable');
    const { invitations } = (await superadmin.browser.get(invitationsPath)).body;
    expect(invitations.find(({ id }: { id: string }) => id === invitation.id).status).toBe('revoked');
  });

  test('has another id in the audit log, so a search for one account finds no event of the other', async () => {
    const earlier = await signUpAndRelease();
    const next = await signUp(service, { username: earlier.username });
    const superadmin = await signUpAs(service, 'superadmin');
    const eventsAbout = async (person: Person) => {
      const query = `${auditPath}?targetId=${userIdOf(person)}`;
      return (await superadmin.browser.get(query)).body.events.map(({ event }: { event: string }) => event);
    };
    expect(await eventsAbout(earlier)).toEqual(['user.release_username', 'account.delete', 'account.signup']);
    expect(await eventsAbout(next)).toEqual(['account.signup']);
  });
});
