import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, newUsername, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  admit,
  deleteAccount,
  deleteUser,
  found,
  inviteTo,
  memberPath,
  organizationsPath,
  postMember,
  signUpAs,
  usersPath,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { addPassword, logInByPassword } from './support/passwords.ts';
import { createLink, enterByCode, generateCodes, useCode, useLink } from './support/recovery.ts';
import { reasonOfRefusal, shapeOf } from './support/refused-sign-in.ts';

let service: TestService;
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  second = await startSecondInstance(service, { bcryptCost: 4 });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});

/** Creates a user with rows in every table that belongs to accounts. */
async function personWithEverything(username = newUsername('settled')) {
  const person = await signUp(service, { username });
  await addPassword(person.browser);
  const codes = await generateCodes(person.browser);
  const recovering = await enterByCode(service, person, codes.shift());
  const { token: link } = await createLink(service, person);
  const admin = await signUpAs(service, 'admin');
  const organization = await found(admin.browser);
  await admit(admin.browser, organization, person);
  await service.database.sql`
    update latchkey.users set display_name = 'Settled' where id = ${userIdOf(person)}`;
  return { person, codes, link, admin, organization, browsers: [person.browser, recovering] };
}

/** Counts the account's rows in each of these tables. */
async function rowsOf(person: Person): Promise<Record<string, number>> {
  const id = userIdOf(person);
  const [row] = await service.database.sql<Record<string, number>[]>`
    select
      (select count(*)::int from latchkey.passkeys where user_id = ${id}) as passkeys,
      (select count(*)::int from latchkey.sessions where user_id = ${id}) as sessions,
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id}) as codes,
      (select count(*)::int from latchkey.recovery_links where user_id = ${id}) as links,
      (select count(*)::int from latchkey.memberships where user_id = ${id}) as memberships`;
  return row ?? {};
}

const ways: [name: string, remove: (person: Person) => Promise<number>, event: string, byUser: boolean][] = [
  [
    'the user',
    async (person) => {
      await stepUp(person.browser, person.authenticator);
      return (await deleteAccount(person.browser)).status;
    },
    'account.delete',
    true,
  ],
  [
    'a superadmin',
    async (person) => (await deleteUser(superadmin.browser, person)).status,
    'user.delete',
    false,
  ],
];

describe.each(ways)('an account deleted by %s', (_, remove, event, byUser) => {
  test('keeps only its id, its username and its audit events', async () => {
    const { person } = await personWithEverything();
    expect(await rowsOf(person)).toEqual({ passkeys: 1, sessions: 2, codes: 10, links: 1, memberships: 1 });
    expect(await remove(person)).toBe(204);
    expect(await rowsOf(person)).toEqual({ passkeys: 0, sessions: 0, codes: 0, links: 0, memberships: 0 });
    const [row] = await service.database.sql`select * from latchkey.users where id = ${userIdOf(person)}`;
    expect(row).toMatchObject({
      username: person.username,
      display_name: null,
      password_hash: null,
      role: 'user',
      status: 'disabled',
      deleted_at: expect.any(Date),
    });
    const rows = await service.database.sql`
      select event, outcome, actor_id, target_id, target_name from latchkey.audit_events
      where event in ('account.signup', 'recovery_code.generate', ${event})
        and ${userIdOf(person)} in (actor_id::text, target_id) order by at, id`;
    const common = {
      outcome: 'success',
      actor_id: userIdOf(person),
      target_id: userIdOf(person),
      target_name: person.username,
    };
    expect(rows).toEqual([
      expect.objectContaining({ event: 'account.signup', actor_id: userIdOf(person) }),
      { event: 'recovery_code.generate', ...common },
      { event, ...common, actor_id: userIdOf(byUser ? person : superadmin) },
    ]);
  });

  test('has no sessions left on any instance, and every way to sign in is rejected', async () => {
    const { person, codes, link, browsers } = await personWithEverything();
    await remove(person);
    for (const browser of browsers) {
      expect(await isSignedIn(browser.copy())).toBe(false);
      expect(await isSignedIn(second.browser(browser.cookies))).toBe(false);
    }
    // The row keeps the user handle, so the response can say that the passkey is unknown.
    await reasonOfRefusal(
      service,
      await logIn(service.browser(), person.authenticator),
      'unknown_credential',
    );
    const refusals = {
      password: await logInByPassword(service.browser(), person),
      code: await useCode(service.browser(), person, codes[0]),
      link: await useLink(service.browser(), link),
    };
    for (const answer of Object.values(refusals)) await reasonOfRefusal(service, answer);
  });

  test('causes the same responses as an unknown username', async () => {
    const username = newUsername('decoy');
    const start = async (name: string) => {
      const answer = await service.browser().post('/auth/passkey/login/start', { username: name });
      return answer.body.options;
    };
    const { challenge: _, ...before } = await start(username);
    const { person, codes } = await personWithEverything(username);
    expect((await start(username)).allowCredentials).not.toEqual(before.allowCredentials);
    await remove(person);
    const { challenge: __, ...after } = await start(username);
    expect(after).toEqual(before);

    const unknown = { username: newUsername('nobody') };
    const byName = [
      (one: { username: string }) => logInByPassword(service.browser(), one),
      (one: { username: string }) => useCode(service.browser(), one, codes[0]),
    ];
    for (const enter of byName) expect(shapeOf(await enter(person))).toEqual(shapeOf(await enter(unknown)));
  });

  test('reserves its username, in every spelling', async () => {
    const { person } = await personWithEverything();
    await remove(person);
    const { username } = person;
    for (const name of [username, username.toUpperCase(), ` ${username} `, fullWidth(username)]) {
      const { body } = await service
        .browser()
        .get(`/auth/username/availability?${new URLSearchParams({ username: name })}`);
      expect(body).toEqual({ username, available: false, reason: 'taken' });
      expectProblem(
        await service.browser().post('/auth/passkey/register/start', { username: name }),
        'username_taken',
      );
    }
    await expect(
      service.auth.asOperator('ops').bootstrap({ username, password: 'a wet towel in Oslo' }),
    ).rejects.toMatchObject({ code: 'already_bootstrapped' });
  });

  test('does not exist for superadmins, operators and organization admins', async () => {
    const { person, admin, organization } = await personWithEverything();
    await remove(person);
    const id = userIdOf(person);
    const { browser } = superadmin;
    const answers = [
      await browser.get(`${usersPath}/${id}`),
      await browser.put(`${usersPath}/${id}/role`, { role: 'admin' }),
      await browser.post(`${usersPath}/${id}/disable`),
      await browser.post(`${usersPath}/${id}/enable`),
      await browser.post(`${usersPath}/${id}/recovery`),
      await browser.delete(`${usersPath}/${id}/sessions`),
      await browser.delete(`${usersPath}/${id}`),
      await inviteTo(admin.browser, organization, { username: person.username }),
      await postMember(browser, organization, person),
      await admin.browser.patch(memberPath(organization, person), { role: 'admin' }),
      await admin.browser.delete(memberPath(organization, person)),
    ];
    for (const answer of answers) expectProblem(answer, 'not_found');
    const { body } = await admin.browser.get(`${organizationsPath}/${organization.id}/members`);
    expect(body.members.map(({ user }: { user: object }) => user)).toEqual([
      { id: userIdOf(admin), username: admin.username, displayName: null },
    ]);
    const { users } = service.auth.asOperator('ops');
    const tries = [
      () => users.get(person.username),
      () => users.changeRole(person.username, 'admin'),
      () => users.disable(person.username),
      () => users.enable(person.username),
      () => users.endSessions(person.username),
      () => users.createRecoveryLink(person.username),
      () => users.delete(person.username),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    expect(await service.auth.principalOf(id)).toBeNull();
    expect(await rowsOf(person)).toEqual({ passkeys: 0, sessions: 0, codes: 0, links: 0, memberships: 0 });
  });
});

const fullWidth = (text: string) =>
  text.replace(/[a-z0-9]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0));
