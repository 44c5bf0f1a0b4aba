import { createAuthRouter } from 'latchkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { logIn, newUsername, preparePasskey, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { changeRole, signUpAs, usersPath } from './support/authority.ts';
import {
  bootstrap,
  bootstrapEvents,
  forgetEverybody,
  refusalOf,
  superadminRows,
} from './support/bootstrapping.ts';
import { logInByPassword, password } from './support/passwords.ts';
import { useLink } from './support/recovery.ts';
import { time, uuid } from './support/wire-format.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
beforeEach(() => forgetEverybody(service));
afterAll(() => service.close());

const user = (username: string) => ({
  id: expect.stringMatching(uuid),
  username,
  displayName: null,
  role: 'superadmin',
  status: 'active',
  createdAt: expect.stringMatching(time),
});

describe('the first superadmin', () => {
  test('created with a password can sign in and change roles', async () => {
    const made = await bootstrap(service, { username: 'Root', password });
    expect(made).toEqual({ user: user('root'), link: null });
    const [browser, person] = [service.browser(), await signUp(service)];
    expect((await logInByPassword(browser, { username: 'root' })).body.user).toEqual(made.user);
    expect((await changeRole(browser, person, 'admin')).body.user.role).toBe('admin');
    expect(await superadminRows(service)).toMatchObject([{ password: true, passkeys: 0, links: 0 }]);
  });

  test('created with a link can create a passkey and sign in', async () => {
    const { user: made, link } = await bootstrap(service, { username: 'first-one' });
    expect(made).toEqual(user('first-one'));
    expect(link).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      url: `${origin}/recover#token=${link?.token}`,
      usableAt: expect.stringMatching(time),
      expiresAt: expect.stringMatching(time),
    });
    const browser = service.browser();
    const entered = await useLink(browser, `${link?.token}`);
    expect(entered.body).toMatchObject({ user: made, session: { kind: 'recovery' } });
    expectProblem(await browser.get(usersPath), 'recovery_session');
    const { authenticator } = await signUp(service);
    expect((await (await preparePasskey(browser, authenticator))()).status).toBe(201);
    expect((await browser.get(usersPath)).status).toBe(200);
    expect((await logIn(service.browser(), authenticator)).body.user).toEqual(made);
  });

  test.each([
    ['a password', { password }, 'password'],
    ['a link', {}, 'passkey'],
  ])(
    'created with %s causes an audit event with the operator’s name and no secret',
    async (_, way, method) => {
      const before = (await service.auditRows()).length;
      const { user: made, link } = await service.auth
        .asOperator('night shift')
        .bootstrap({ username: 'first-one', ...way });
      const rows = (await service.auditRows()).slice(before);
      expect(rows).toMatchObject([
        {
          event: 'superadmin.bootstrap',
          outcome: 'success',
          actor_type: 'operator',
          actor_id: null,
          actor_name: 'night shift',
          target_type: 'user',
          target_id: made.id,
          target_name: 'first-one',
          details: { method },
          ip: null,
        },
      ]);
      for (const secret of [password, link?.token ?? password])
        expect(JSON.stringify(rows)).not.toContain(secret);
    },
  );

  test('can be created when users and admins already exist', async () => {
    await signUpAs(service, 'admin');
    expect((await bootstrap(service, { username: 'first-one', password })).user.role).toBe('superadmin');
  });

  test.each(['admin', 'root', 'superadmin', 'latchkey', 'ＲＯＯＴ'])(
    'can have the reserved username %s, which sign-up rejects',
    async (username) => {
      const { user: made } = await bootstrap(service, { username, password });
      expect(made.username).toBe(username.normalize('NFKC').toLowerCase());
      const { body } = await service.browser().post('/auth/passkey/register/start', { username });
      expect(body).toMatchObject({ code: 'username_unacceptable', reason: 'reserved' });
      expect((await logInByPassword(service.browser(), { username })).status).toBe(200);
    },
  );

  test('cannot be created by an operator whose name is empty, too long or has control characters', async () => {
    for (const name of ['', 'a\nb', 'x'.repeat(65)]) {
      expect(() => service.auth.asOperator(name)).toThrow(TypeError);
    }
  });
});

describe('a bootstrap is rejected', () => {
  test.each(['', 'ab', '-ab', 'a b', 'ann@example.com', 'аdmin', 'a\0b', 'x'.repeat(33), 'x'.repeat(10_000)])(
    'with the invalid username %j, and then works with a valid one',
    async (username) => {
      for (const way of [{ password }, {}]) {
        expect(await refusalOf(bootstrap(service, { username, ...way }))).toBe('username_unacceptable');
      }
      expect(await superadminRows(service)).toEqual([]);
      expect(await refusalOf(bootstrap(service, { username: 'first-one', password }))).toBeNull();
    },
  );

  test.each([
    ['too short', 'seven77', 'too_short'],
    ['empty', '', 'too_short'],
    ['too long', 'x'.repeat(129), 'too_long'],
    ['common', 'password1', 'common'],
    ['the username', 'first-one', 'common'],
    ['malformed', 'a wet towel\0', 'malformed'],
  ])('with a password that is %s, and then works with a valid one', async (_, given, reason) => {
    const making = bootstrap(service, { username: 'first-one', password: given });
    await expect(making).rejects.toMatchObject({ code: 'password_unacceptable', reason });
    expect(await superadminRows(service)).toEqual([]);
    expect(await refusalOf(bootstrap(service, { username: 'first-one', password }))).toBeNull();
  });

  test('with the username of an existing or deleted account, writes an event, and then works with another username', async () => {
    const [person, gone] = [await signUp(service), await signUp(service)];
    await gone.browser.delete('/auth/account');
    const before = (await bootstrapEvents(service, 'failure')).length;
    for (const { username } of [person, gone]) {
      for (const way of [{ password }, {}]) {
        const making = bootstrap(service, { username: username.toUpperCase(), ...way });
        expect(await refusalOf(making)).toBe('username_taken');
      }
    }
    expect(await superadminRows(service)).toEqual([]);
    const rows = (await bootstrapEvents(service, 'failure')).slice(before);
    expect(rows).toHaveLength(4);
    for (const { actor_name, details } of rows) {
      expect([actor_name, details]).toEqual(['ops', { reason: 'username_taken' }]);
    }
    expect((await person.browser.get('/auth/session')).body.user.role).toBe('user');
    expect(await refusalOf(bootstrap(service, { username: newUsername('first'), password }))).toBeNull();
  });
});

test('no route creates a superadmin, with or without a session', async () => {
  const unknownId = '00000000-0000-7000-8000-000000000000';
  const person = await signUp(service);
  const { id } = person.signedUp.body.user;
  const bodies = [
    { username: 'root', password },
    { role: 'superadmin' },
    { username: 'root', password, role: 'superadmin', token: 'a' },
  ];
  const routes = createAuthRouter(service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('{'))
    .flatMap(({ path, methods }) => methods.map((method) => ({ method, path: `${path}` })));
  expect(routes.length).toBeGreaterThan(30);
  const endsOwn = (route: string) => /^DELETE \/auth\/(account|sessions?)(\/|$)/.test(route);
  for (const { method, path } of routes) {
    expect(path).not.toMatch(/bootstrap|setup|install|first/);
    for (const browser of [service.browser(), person.browser]) {
      if (browser === person.browser && endsOwn(`${method} ${path}`)) continue;
      for (const body of method === 'GET' || method === 'HEAD' ? [null] : bodies) {
        const target = path.replace(/:\w+/g, browser === person.browser ? id : unknownId);
        const { status } = await browser.request(method, target, body && JSON.stringify(body), {
          ...(body && { 'Content-Type': 'application/json' }),
        });
        expect(status).toBeLessThan(500);
      }
    }
  }
  expect(await superadminRows(service)).toEqual([]);
  const claimed = await service.database.sql`select from latchkey.bootstrap`;
  expect(claimed).toHaveLength(0);
});
