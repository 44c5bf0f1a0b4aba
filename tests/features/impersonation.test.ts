import type { Router } from '@koa/router';
import { createAuthRouter } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  auditPath,
  changeRole,
  disable,
  found,
  postMember,
  signUpAs,
  usersPath,
} from './support/authority.ts';
import { currentSession, isSignedIn, tokenOf } from './support/current-session.ts';
import { impersonate, operatorAs, reason, superadminAs } from './support/impersonation.ts';
import { addPassword, logInByPassword } from './support/passwords.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, impersonation: true });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const eventsOf = async (person: Person) =>
  (await service.auditRows()).filter(({ actor_id: actor, target_id: target }) =>
    [actor, target].includes(userIdOf(person)),
  );
const sessionsOf = async (person: Person) => {
  const [row] = await service.database.sql`
    select count(*)::integer as all, count(*) filter (where impersonator_type is null)::integer as own
    from latchkey.sessions where user_id = ${userIdOf(person)}`;
  return row;
};
const lastEvent = async () => (await service.auditRows()).at(-1);

describe('a superadmin who uses the account of a user', () => {
  test('gets a session as the user for an hour, which names the superadmin and gives no privileges', async () => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const ownToken = tokenOf(grace.browser);
    const answer = await impersonate(grace.browser, ada);
    expect(answer.status).toBe(201);
    expect(answer.body.user).toEqual(ada.signedUp.body.user);
    const { session } = answer.body;
    expect(session).toMatchObject({ kind: 'full', method: 'impersonation', current: true });
    expect(session.impersonator).toEqual({ type: 'user', id: userIdOf(grace), name: grace.username });
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(60 * 60 * 1000);

    const shown = await grace.browser.get('/auth/session');
    expect(shown.body.user.id).toBe(userIdOf(ada));
    expect(shown.body.session.impersonator.name).toBe(grace.username);
    const read = await service.auth.sessionOf({ cookie: `latchkey=${tokenOf(grace.browser)}` });
    expect(read).toMatchObject({ fresh: false, privileged: false });
    // The own session of the superadmin has ended.
    expect(await service.auth.sessionOf({ cookie: `latchkey=${ownToken}` })).toBeNull();
  });

  test('gets a cookie for an hour, and no device cookie of the user', async () => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const answer = await impersonate(grace.browser, ada);
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toEqual([expect.stringMatching(/^latchkey=[\w-]{43}; .*Max-Age=3600$/)]);
  });

  test('cannot use the session for more than an hour, even if it is used often', async () => {
    const local = await startTestService({ bcryptCost: 4, impersonation: true });
    try {
      const ada = await signUp(local);
      const grace = await superadminAs(local, ada);
      for (const _ of Array.from({ length: 5 })) {
        await local.turnClock({ minutes: 11 });
        expect(await isSignedIn(grace.browser)).toBe(true);
      }
      await local.turnClock({ minutes: 5 });
      expect(await isSignedIn(grace.browser)).toBe(false);
      expect(await isSignedIn(ada.browser)).toBe(true);
    } finally {
      await local.close();
    }
  });

  test('is recorded with the reason, and every event of the session names both users', async () => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const started = (await impersonate(grace.browser, ada)).body.session;
    expect(await lastEvent()).toMatchObject({
      event: 'impersonation.start',
      outcome: 'success',
      actor_type: 'user',
      actor_id: userIdOf(grace),
      impersonator_type: null,
      target_id: userIdOf(ada),
      details: { statedReason: reason, sessionId: started.id },
    });

    expectProblem(await grace.browser.post('/auth/password/add', { password: 'any' }), 'impersonating');
    expectProblem(await grace.browser.put('/auth/account/username', { username: 'b' }), 'impersonating');
    expect((await grace.browser.delete('/auth/session')).status).toBe(204);
    const both = {
      actor_type: 'user',
      actor_id: userIdOf(ada),
      actor_name: ada.username,
      impersonator_type: 'user',
      impersonator_id: userIdOf(grace),
      impersonator_name: grace.username,
    };
    expect((await eventsOf(ada)).slice(-3)).toMatchObject([
      { event: 'password.add', outcome: 'failure', details: { reason: 'impersonating' }, ...both },
      { event: 'account.rename', outcome: 'failure', details: { reason: 'impersonating' }, ...both },
      { event: 'impersonation.end', outcome: 'success', target_id: started.id, ...both },
    ]);
    expect(await isSignedIn(grace.browser)).toBe(false);

    // The filter finds the events of the superadmin, including those as another user.
    const henry = await signUpAs(service, 'superadmin');
    const found = await henry.browser.get(`${auditPath}?impersonatorId=${userIdOf(grace)}`);
    expect(found.body.events.map(({ event }: { event: string }) => event)).toEqual([
      'impersonation.end',
      'account.rename',
      'password.add',
    ]);
    expect(found.body.events[0].impersonator).toEqual({
      type: 'user',
      id: userIdOf(grace),
      name: grace.username,
    });
    const { events } = await service.auth.asOperator('ops').audit.list({ impersonatorId: userIdOf(grace) });
    expect(events).toHaveLength(3);
  });

  test('is shown to the user, who can end the session', async () => {
    const ada = await signUp(service);
    const grace = await superadminAs(service, ada);
    const { sessions } = (await ada.browser.get('/auth/sessions')).body;
    expect(sessions).toHaveLength(2);
    const [other] = sessions.filter(({ current }: { current: boolean }) => !current);
    expect(other.impersonator).toMatchObject({ type: 'user', name: grace.username });
    expect((await ada.browser.delete(`/auth/sessions/${other.id}`)).status).toBe(204);
    expect(await isSignedIn(grace.browser)).toBe(false);
    expect(await isSignedIn(ada.browser)).toBe(true);
  });

  test('has at most one such session', async () => {
    const [ada, ben, grace] = [
      await signUp(service),
      await signUp(service),
      await signUpAs(service, 'superadmin'),
    ];
    const elsewhere = service.browser();
    await logIn(elsewhere, grace.authenticator);
    expect((await impersonate(grace.browser, ada)).status).toBe(201);
    expect((await impersonate(elsewhere, ben)).status).toBe(201);
    expect(await isSignedIn(grace.browser)).toBe(false);
    expect((await currentSession(elsewhere)).impersonator.id).toBe(userIdOf(grace));
  });

  test('cannot use the session to get a session of a third user', async () => {
    const [admin, ada] = [await signUpAs(service, 'admin'), await signUp(service)];
    const grace = await superadminAs(service, admin);
    expectProblem(await impersonate(grace.browser, ada), 'impersonating');
    expect(await lastEvent()).toMatchObject({
      event: 'impersonation.start',
      outcome: 'failure',
      actor_id: userIdOf(admin),
      impersonator_id: userIdOf(grace),
      target_id: userIdOf(ada),
    });
  });

  test('has no rights of an admin, and cannot read users or the audit log', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const grace = await superadminAs(service, admin);
    expectProblem(await grace.browser.get(usersPath), 'impersonating');
    expectProblem(await grace.browser.get(auditPath), 'impersonating');
    expectProblem(await grace.browser.patch(`/auth/organizations/${organization.id}`, {}), 'impersonating');
    expect((await grace.browser.get(`/auth/organizations/${organization.id}`)).status).toBe(200);
  });

  test('does not end sessions of the user, even if the account has the largest number of sessions', async () => {
    const ada = await signUp(service);
    await service.database.sql`
      insert into latchkey.sessions
        (id, user_id, epoch, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at)
      select gen_random_uuid(), user_id, epoch, token_hash || n, kind, method, created_at, last_seen_at,
        authenticated_at, ends_at, expires_at
      from latchkey.sessions, generate_series(1, 99) as n where user_id = ${userIdOf(ada)}`;
    await superadminAs(service, ada);
    expect(await sessionsOf(ada)).toEqual({ all: 101, own: 100 });
    // The impersonated session does not count: a sign-in ends one session.
    await logIn(service.browser(), ada.authenticator);
    expect(await sessionsOf(ada)).toEqual({ all: 101, own: 100 });
  });
});

describe('using the account of another user is refused', () => {
  test.each([
    ['a superadmin', 'superadmin', 'role_not_lower'],
    ['the own account', null, 'oneself'],
  ] as const)('for %s', async (_, role, detail) => {
    const grace = await signUpAs(service, 'superadmin');
    const person = role === null ? grace : await signUpAs(service, role);
    expectProblem(await impersonate(grace.browser, person), 'forbidden');
    expect(await lastEvent()).toMatchObject({
      event: 'impersonation.start',
      outcome: 'failure',
      details: { reason: detail },
    });
    expect((await currentSession(grace.browser)).impersonator).toBeNull();
  });

  test('for a disabled user', async () => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    await disable(grace.browser, ada);
    expectProblem(await impersonate(grace.browser, ada), 'account_disabled');
  });

  test('in a session that was opened with the password, although the user has a passkey', async () => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    await addPassword(grace.browser);
    const browser = service.browser();
    await logInByPassword(browser, grace);
    expectProblem(await impersonate(browser, ada), 'passkey_required');
  });

  test.each([
    ['no reason', {}],
    ['an empty reason', { reason: ' ' }],
    ['a reason with 201 characters', { reason: 'a'.repeat(201) }],
    ['a reason with a control character', { reason: 'a\u0007b' }],
    ['a reason that is not text', { reason: 1 }],
  ])('with %s', async (_, body) => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const answer = await grace.browser.post(`${usersPath}/${userIdOf(ada)}/impersonation`, body);
    expect(answer.body.code).toBe('invalid_request');
    expect(await isSignedIn(grace.browser)).toBe(true);
  });
});

describe('without the option impersonation', () => {
  test('the endpoints do not exist, and existing impersonated sessions are refused', async () => {
    const ada = await signUp(service);
    const grace = await superadminAs(service, ada);
    const off = await startSecondInstance(service, {});
    try {
      expect(await isSignedIn(off.browser(grace.browser.cookies))).toBe(false);
      expect(await isSignedIn(off.browser(ada.browser.cookies))).toBe(true);
      const henry = await signUpAs(service, 'superadmin');
      const browser = off.browser(henry.browser.cookies);
      const pathsIn = ({ stack }: Router) =>
        stack.map(({ path }) => `${path}`).filter((path) => path.includes('impersonation'));
      expect(pathsIn(createAuthRouter(service.auth))).toHaveLength(2);
      expect(pathsIn(createAuthRouter(off.auth))).toEqual([]);
      const { paths } = (await browser.get('/auth/openapi.json')).body;
      expect(Object.keys(paths).filter((path) => path.includes('impersonation'))).toEqual([]);
      await expect(
        off.auth.asOperator('grace').users.impersonate(ada.username, { reason }),
      ).rejects.toMatchObject({ code: 'feature_disabled' });
      expect(await lastEvent()).toMatchObject({
        event: 'impersonation.create_link',
        outcome: 'failure',
        actor_name: 'grace',
        details: { reason: 'impersonation_off' },
      });
    } finally {
      await off.close();
    }
  });

  test('impersonated sessions cannot be used, and lists leave them out, but the export contains them', async () => {
    const ada = await signUp(service);
    const grace = await superadminAs(service, ada);
    const supporter = await operatorAs(service, ada);
    const methodsOf = (sessions: { method: string }[]) => sessions.map(({ method }) => method).sort();
    const listed = async (browser: TestAgent) =>
      methodsOf((await browser.get('/auth/sessions')).body.sessions);
    const read = async ({ auth }: Pick<TestService, 'auth'>) =>
      methodsOf((await auth.asOperator('desk').users.get(ada.username)).sessions);
    const all = ['impersonation', 'impersonation', 'passkey'];
    expect(await listed(ada.browser)).toEqual(all);
    expect(await read(service)).toEqual(all);
    const off = await startSecondInstance(service, {});
    try {
      for (const { cookies } of [grace.browser, supporter]) {
        const browser = off.browser(cookies);
        expect(await off.auth.sessionOf(cookieHeader(browser))).toBeNull();
        expect((await browser.get('/auth/sessions')).status).toBe(401);
        expect((await browser.patch('/auth/account', { displayName: 'Eve' })).status).toBe(401);
      }
      expect(await listed(off.browser(ada.browser.cookies))).toEqual(['passkey']);
      expect(await read(off)).toEqual(['passkey']);
      const exported = [];
      for await (const record of await off.auth.asOperator('desk').users.export({ username: ada.username }))
        if (record.type === 'session') exported.push(record);
      expect(methodsOf(exported)).toEqual(all);
    } finally {
      await off.close();
    }
  });

  test('`auth.config.impersonation` is false', async () => {
    const plain = await startSecondInstance(service, {});
    onTestFinished(() => plain.close());
    expect([service, plain].map(({ auth }) => auth.config.impersonation)).toEqual([true, false]);
  });
});

test('an impersonator of a user can neither add members nor change roles', async () => {
  const [ada, ben] = [await signUp(service), await signUp(service)];
  const owner = await signUpAs(service, 'admin');
  const organization = await found(owner.browser);
  const grace = await superadminAs(service, ada);
  expectProblem(await postMember(grace.browser, organization, ben), 'impersonating');
  expectProblem(await changeRole(grace.browser, ben, 'admin'), 'impersonating');
});

describe('erasing', () => {
  test('the superadmin replaces the name, the address and the browser in the events of an impersonation', async () => {
    const ada = await signUp(service);
    const grace = await superadminAs(service, ada);
    await grace.browser.delete('/auth/session');
    await service.auth.asOperator('ops').users.delete(grace.username);
    const { pseudonym } = await service.auth.asOperator('privacy desk').users.erase(userIdOf(grace));
    const rows = await service.auditRows();
    expect(rows.filter((row) => JSON.stringify(row).includes(grace.username))).toEqual([]);
    expect(rows.filter(({ event }) => event === 'impersonation.end').at(-1)).toMatchObject({
      actor_name: ada.username,
      impersonator_id: userIdOf(grace),
      impersonator_name: pseudonym,
      ip: pseudonym,
      user_agent: pseudonym,
    });
  });

  test('the user replaces the stated reason, which can contain the name', async () => {
    const [ada, grace] = [await signUp(service), await signUpAs(service, 'superadmin')];
    const given = `${ada.username} has called`;
    const path = `${usersPath}/${userIdOf(ada)}/impersonation`;
    expect((await grace.browser.post(path, { reason: given })).status).toBe(201);
    await service.auth.asOperator('ops').users.delete(ada.username);
    const { pseudonym } = await service.auth.asOperator('privacy desk').users.erase(userIdOf(ada));
    const rows = await service.auditRows();
    expect(rows.filter((row) => JSON.stringify(row).includes(ada.username))).toEqual([]);
    expect(rows.filter(({ event }) => event === 'impersonation.start').at(-1)).toMatchObject({
      actor_name: grace.username,
      target_name: pseudonym,
      details: { statedReason: pseudonym, sessionId: expect.any(String) },
    });
  });
});
