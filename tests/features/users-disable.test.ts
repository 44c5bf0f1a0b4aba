import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, type Person, preparePasskey, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout, auditRowsOf, wholeAuditRowsOf } from './support/audit-log.ts';
import { changeRole, disable, enable, help, signUpAs, usersPath } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { addPassword, logInByPassword } from './support/passwords.ts';
import { createLink, enterByCode, generateCodes, linkRowsOf, useCode, useLink } from './support/recovery.ts';
import { expectDisabled, reasonOfRefusal } from './support/refused-sign-in.ts';

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

/** Signs up a user with all sign-in methods, and with sessions in both processes. */
async function signUpWithEverything() {
  const person = await signUp(service);
  await addPassword(person.browser);
  const codes = await generateCodes(person.browser);
  const [elsewhere, byPassword] = [second.browser(), service.browser()];
  await logIn(elsewhere, person.authenticator);
  await logInByPassword(byPassword, person);
  const recovering = await enterByCode(service, person, codes[0]);
  const browsers = [person.browser, elsewhere, byPassword, recovering];
  return { person, codes: codes.slice(1), browsers };
}

/** Tries each sign-in method and returns the statuses. */
async function tryToSignIn(person: Person, code = '') {
  const answers = {
    passkey: await logIn(service.browser(), person.authenticator),
    'passkey by name': await logIn(second.browser(), person.authenticator, { username: person.username }),
    password: await logInByPassword(second.browser(), person),
    code: await useCode(service.browser(), person, code),
  };
  return Object.fromEntries(Object.entries(answers).map(([way, { status }]) => [way, status]));
}
const all = (status: number) => ({
  passkey: status,
  'passkey by name': status,
  password: status,
  code: status,
});

describe('disabling a user', () => {
  test('ends every session in every process and blocks all sign-in methods', async () => {
    const { person, codes, browsers } = await signUpWithEverything();
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(true);
    const answer = await disable(superadmin.browser, person);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ user: { ...person.signedUp.body.user, status: 'disabled' } });
    for (const browser of browsers) {
      expect(await isSignedIn(browser)).toBe(false);
      expect(await isSignedIn(second.browser(browser.cookies))).toBe(false);
    }
    expect(await tryToSignIn(person, codes[0])).toEqual(all(409));
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event: 'user.disable',
        outcome: 'success',
        actor_id: userIdOf(superadmin),
        target_type: 'user',
        target_id: userIdOf(person),
        target_name: person.username,
        details: {},
      },
    ]);
  });

  test('deletes the user’s rows from the sessions table', async () => {
    const { person } = await signUpWithEverything();
    await disable(superadmin.browser, person);
    const rows = await service.database.sql`
      select from latchkey.sessions where user_id = ${userIdOf(person)}`;
    expect(rows).toHaveLength(0);
  });

  test('also affects ceremonies that started earlier: they fail', async () => {
    const person = await signUp(service);
    const add = await preparePasskey(person.browser);
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await person.authenticator.get(options);
    await disable(superadmin.browser, person);
    expectProblem(await add(), 'not_authenticated');
    const entered = await browser.post('/auth/passkey/login/verify', { credential });
    await expectDisabled(service, entered);
  });

  test('has no effect if the user is already disabled, and writes no audit row', async () => {
    const person = await signUp(service);
    await disable(superadmin.browser, person);
    const answer = await disable(superadmin.browser, person);
    expect([answer.status, answer.body.user.status]).toEqual([200, 'disabled']);
    expect(await auditRowsOf(service, answer)).toEqual([]);
    expect(await auditRowsAbout(service, person, 'user.disable')).toHaveLength(1);
  });

  test('ends the current session and clears the cookie if users disable themselves', async () => {
    const person = await signUpAs(service, 'superadmin');
    const old = person.browser.copy();
    const answer = await disable(person.browser, person);
    expect(answer.body.user).toMatchObject({ id: userIdOf(person), status: 'disabled' });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^latchkey=; .*Max-Age=0/)]);
    expect(await isSignedIn(old)).toBe(false);
  });

  test('keeps the user’s role, and the role can still be changed', async () => {
    const person = await signUpAs(service, 'admin');
    await disable(superadmin.browser, person);
    expect((await changeRole(superadmin.browser, person, 'user')).body.user).toMatchObject({
      role: 'user',
      status: 'disabled',
    });
  });

  test('cancels the user’s recovery link, and enabling the user does not restore it', async () => {
    const person = await signUp(service);
    const { token } = (await help(superadmin.browser, person)).body;
    await disable(superadmin.browser, person);
    expect(await linkRowsOf(service, person)).toEqual([]);
    expectProblem(await help(superadmin.browser, person), 'account_disabled');
    await enable(superadmin.browser, person);
    expect(await reasonOfRefusal(service, await useLink(service.browser(), token))).toBe(
      'link_unknown_or_used',
    );
    expect((await useLink(service.browser(), (await createLink(service, person)).token)).status).toBe(200);
  });
});

describe('enabling a user', () => {
  test('allows the user to sign in again, and restores no session', async () => {
    const { person, codes, browsers } = await signUpWithEverything();
    await disable(superadmin.browser, person);
    const answer = await enable(superadmin.browser, person);
    expect(answer.body).toEqual({ user: person.signedUp.body.user });
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
    expect(await tryToSignIn(person, codes[0])).toEqual(all(200));
    expect(await auditRowsOf(service, answer)).toMatchObject([
      {
        event: 'user.enable',
        outcome: 'success',
        actor_name: superadmin.username,
        target_id: userIdOf(person),
      },
    ]);
  });

  test('has no effect if the user is active, and writes no audit row', async () => {
    const { person, browsers } = await signUpWithEverything();
    const answer = await enable(superadmin.browser, person);
    expect([answer.status, answer.body.user.status]).toEqual([200, 'active']);
    expect(await auditRowsOf(service, answer)).toEqual([]);
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(true);
  });

  test('by an operator has the same effects, and so does disabling a user by an operator', async () => {
    const { person, codes, browsers } = await signUpWithEverything();
    const { users } = service.auth.asOperator('night shift');
    expect(await users.disable(person.username)).toMatchObject({ status: 'disabled' });
    expect(await tryToSignIn(person, codes[0])).toEqual(all(409));
    expect(await users.enable(person.username)).toMatchObject({ status: 'active' });
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
    expect(await tryToSignIn(person, codes[0])).toEqual(all(200));
    for (const event of ['user.disable', 'user.enable']) {
      expect(await auditRowsAbout(service, person, event)).toMatchObject([
        { actor_type: 'operator', actor_id: null, actor_name: 'night shift', outcome: 'success' },
      ]);
    }
  });
});

describe.each(['disable', 'enable'] as const)('POST /auth/admin/users/{id}/%s', (what) => {
  const ask = (actor: Pick<Person, 'browser'>, id: string, body?: unknown) =>
    actor.browser.post(`${usersPath}/${id}/${what}`, body);

  test.each(['user', 'admin'] as const)(
    'is forbidden for the role %s, and the attempt is recorded',
    async (role) => {
      const [actor, person] = [await signUpAs(service, role), await signUp(service)];
      const answer = await ask(actor, userIdOf(person));
      expectProblem(answer, 'forbidden');
      expect(await auditRowsOf(service, answer)).toMatchObject([
        {
          event: `user.${what}`,
          outcome: 'failure',
          actor_name: actor.username,
          target_id: userIdOf(person),
        },
      ]);
      expect(await isSignedIn(person.browser)).toBe(true);
    },
  );

  test('requires fresh authentication', async () => {
    const [actor, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    await service.database.sql`
      update latchkey.sessions set authenticated_at = latchkey.clock() - '11 minutes'::interval
      where user_id = ${userIdOf(actor)}`;
    expectProblem(await ask(actor, userIdOf(person)), 'reauthentication_required');
    await stepUp(actor.browser, actor.authenticator);
    expect((await ask(actor, userIdOf(person))).status).toBe(200);
  });

  test('rejects a body with properties, an unknown id, and a request without a session', async () => {
    const person = await signUp(service);
    expectProblem(await ask(superadmin, userIdOf(person), { status: 'disabled' }), 'invalid_request', {
      errors: [{ path: 'status', message: expect.any(String) }],
    });
    for (const id of ['1', '%00', '00000000-0000-7000-8000-000000000000']) {
      expectProblem(await ask(superadmin, id), 'not_found');
    }
    expectProblem(await ask({ browser: service.browser() }, userIdOf(person)), 'not_authenticated');
    expect(await isSignedIn(person.browser)).toBe(true);
  });
});
