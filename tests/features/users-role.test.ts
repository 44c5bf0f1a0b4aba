import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout, auditRowsOf, wholeAuditRowsOf } from './support/audit-log.ts';
import { changeRole, invitationsPath, organizationsPath, signUpAs, usersPath } from './support/authority.ts';
import { currentUser, expectSessionCookie, isSignedIn, tokenOf } from './support/current-session.ts';

let service: TestService;
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  second = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const roles = ['user', 'admin', 'superadmin'] as const;
type Role = (typeof roles)[number];

/** The statuses that a user gets for three routes, in both processes. */
async function accessOf({ browser }: Person) {
  const answers: Record<string, number[]> = {};
  for (const path of [organizationsPath, usersPath, invitationsPath]) {
    answers[path] = [];
    for (const agent of [second.browser(browser.cookies), browser]) {
      answers[path].push((await agent.get(path)).status);
    }
  }
  return answers;
}

const twice = (status: number) => [status, status];
const accessAs = (role: Role) => ({
  [organizationsPath]: twice(200),
  [usersPath]: twice(role === 'user' ? 403 : 200),
  [invitationsPath]: twice(role === 'superadmin' ? 200 : 403),
});

describe('a change of role', () => {
  const changes = roles.flatMap((from) => roles.filter((to) => to !== from).map((to) => [from, to] as const));
  test.each(changes)(
    'from %s to %s takes effect immediately in every process, and is recorded in one audit row',
    async (from, to) => {
      const person = await signUpAs(service, from);
      expect(await accessOf(person)).toEqual(accessAs(from));
      const token = tokenOf(person.browser);
      const answer = await changeRole(superadmin.browser, person, to);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ user: { ...person.signedUp.body.user, role: to } });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await accessOf(person)).toEqual(accessAs(to));
      expect(tokenOf(person.browser)).toBe(token);
      expect(await currentUser(person.browser)).toMatchObject({ role: to });
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event: 'user.change_role',
          outcome: 'success',
          actor_type: 'user',
          actor_id: userIdOf(superadmin),
          actor_name: superadmin.username,
          target_type: 'user',
          target_id: userIdOf(person),
          target_name: person.username,
          details: { from, to },
          ip: '127.0.0.1',
        },
      ]);
    },
  );

  test('takes effect in all sessions of the user', async () => {
    const person = await signUpAs(service, 'admin');
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    await changeRole(superadmin.browser, person, 'user');
    for (const browser of [person.browser, elsewhere])
      expectProblem(await browser.get(usersPath), 'forbidden');
  });

  test.each(roles)('to the current role, %s, has no effect and writes no audit row', async (role) => {
    const person = await signUpAs(service, role);
    const row = () => service.database.sql`select * from latchkey.users where id = ${userIdOf(person)}`;
    const before = await row();
    const answer = await changeRole(superadmin.browser, person, role);
    expect([answer.status, answer.body.user.role]).toEqual([200, role]);
    expect(await row()).toEqual(before);
    expect(await auditRowsOf(service, answer)).toEqual([]);
  });

  test('by an operator has the same effects, and is recorded with the operator’s name', async () => {
    const person = await signUp(service);
    const { users } = service.auth.asOperator('night shift');
    expect(await users.changeRole(person.username.toUpperCase(), 'admin')).toEqual({
      ...person.signedUp.body.user,
      role: 'admin',
    });
    expect(await accessOf(person)).toEqual(accessAs('admin'));
    expect((await auditRowsAbout(service, person, 'user.change_role')).at(-1)).toMatchObject({
      event: 'user.change_role',
      actor_type: 'operator',
      actor_id: null,
      actor_name: 'night shift',
      target_id: userIdOf(person),
      details: { from: 'user', to: 'admin' },
    });
  });
});

describe('when superadmins change their own role, the change', () => {
  test('replaces the session token', async () => {
    const person = await signUpAs(service, 'superadmin');
    const { cookies } = person.browser;
    const old = second.browser(cookies);
    const before = tokenOf(person.browser);
    const { session } = (await person.browser.get('/auth/session')).body;
    const answer = await changeRole(person.browser, person, 'admin');
    expect(answer.body.user).toMatchObject({ id: userIdOf(person), role: 'admin' });
    expect(expectSessionCookie(person.browser, answer, '\\d+')).not.toBe(before);
    expect(await isSignedIn(old)).toBe(false);
    const now = (await person.browser.get('/auth/session')).body;
    expect(now.session).toEqual({
      ...session,
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(now.user.role).toBe('admin');
    expectProblem(await changeRole(person.browser, person, 'superadmin'), 'forbidden');
  });

  test('does not end other sessions of the user', async () => {
    const person = await signUpAs(service, 'superadmin');
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    await changeRole(person.browser, person, 'user');
    expect(await currentUser(elsewhere)).toMatchObject({ role: 'user' });
  });

  test('does not replace the session token if the role stays the same', async () => {
    const token = tokenOf(superadmin.browser);
    const answer = await changeRole(superadmin.browser, superadmin, 'superadmin');
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(tokenOf(superadmin.browser)).toBe(token);
  });
});

describe('a role cannot be changed', () => {
  const change = (browser: TestAgent, id: string, body: unknown = { role: 'superadmin' }) =>
    browser.put(`${usersPath}/${id}/role`, body);

  test.each(['user', 'admin'] as const)(
    'by a user with the role %s, and the attempt is recorded',
    async (role) => {
      const [actor, person] = [await signUpAs(service, role), await signUp(service)];
      for (const target of [actor, person, superadmin]) {
        const answer = await change(actor.browser, userIdOf(target));
        expectProblem(answer, 'forbidden');
        expect(await auditRowsOf(service, answer)).toMatchObject([
          {
            event: 'user.change_role',
            outcome: 'failure',
            actor_name: actor.username,
            target_id: userIdOf(target),
            details: { reason: 'role_too_low' },
          },
        ]);
      }
      expect(await accessOf(actor)).toEqual(accessAs(role));
    },
  );

  test('without fresh authentication', async () => {
    const [actor, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    await service.database.sql`
      update latchkey.sessions set authenticated_at = latchkey.clock() - '11 minutes'::interval
      where user_id = ${userIdOf(actor)}`;
    expectProblem(await changeRole(actor.browser, person, 'admin'), 'reauthentication_required');
    expect(await accessOf(person)).toEqual(accessAs('user'));
    await stepUp(actor.browser, actor.authenticator);
    expect((await changeRole(actor.browser, person, 'admin')).status).toBe(200);
  });

  test.each([
    ['no role', {}, 'role'],
    ['an unknown role', { role: 'root' }, 'role'],
    ['a role in capitals', { role: 'Admin' }, 'role'],
    ['a list of roles', { role: ['admin'] }, 'role'],
    ['null as the role', { role: null }, 'role'],
    ['an additional version', { role: 'admin', version: 1 }, 'version'],
    ['an additional user id', { role: 'admin', userId: '00000000-0000-7000-8000-000000000000' }, 'userId'],
    ['an additional status', { role: 'admin', status: 'active' }, 'status'],
  ])('by a request with %s', async (_, body, path) => {
    const person = await signUp(service);
    const answer = await change(superadmin.browser, userIdOf(person), body);
    expectProblem(answer, 'invalid_request', { errors: [{ path, message: expect.any(String) }] });
    expect(await accessOf(person)).toEqual(accessAs('user'));
  });

  test.each(['1', '%00', '00000000-0000-7000-8000-000000000000'])('for the id %s', async (id) => {
    expectProblem(await change(superadmin.browser, id), 'not_found');
  });

  test('by a sign-up or a step-up that contains a role', async () => {
    const browser = service.browser();
    for (const body of [
      { username: 'wants-more', role: 'superadmin' },
      { username: 'wants-more', user: { role: 'superadmin' } },
    ]) {
      expect((await browser.post('/auth/passkey/register/start', body)).status).toBe(400);
    }
    const person = await signUp(service);
    expect((await person.browser.post('/auth/passkey/stepup/start', { role: 'superadmin' })).status).toBe(
      400,
    );
    expect(await accessOf(person)).toEqual(accessAs('user'));
  });
});
