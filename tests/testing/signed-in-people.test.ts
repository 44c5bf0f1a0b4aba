import type { Database, Role } from 'latchkey';
import {
  createInMemoryDatabase,
  createSoftwareAuthenticator,
  createTestAuthService,
  type TestAuthService,
} from 'latchkey/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let kit: TestAuthService;
beforeEach(async () => {
  kit = await createTestAuthService();
});
afterEach(() => kit.close());

describe('a signed-in user', () => {
  test.each<Role>(['user', 'admin', 'superadmin'])('with the role %s has a fresh session', async (role) => {
    const { user, get, post } = await kit.signedInAs(role);
    expect(user).toMatchObject({ role, status: 'active', username: expect.stringMatching(`^${role}-`) });
    expect(await get('/auth/session')).toMatchObject({
      status: 200,
      body: {
        user: { ...user, passkeyCount: 1, hasPassword: false },
        session: { kind: 'full', method: 'passkey', authenticatedAt: kit.clock.now().toISOString() },
      },
    });
    expect((await post('/auth/passkey/devices/add', {})).status).toBe(200);
  });

  test('signs up with a passkey and gets the role from an operator', async () => {
    const { user } = await kit.signedInAs('superadmin', { username: 'ada' });
    const { events: items } = await kit.auth.asOperator('test').audit.list({ targetId: user.id });
    expect(items).toMatchObject([
      {
        event: 'user.change_role',
        outcome: 'success',
        actor: { type: 'operator', name: 'latchkey/testing' },
      },
      { event: 'account.signup', outcome: 'success', actor: { type: 'user', name: 'ada' } },
    ]);
  });

  test('shares no session or authenticator with other users and visitors', async () => {
    const [ada, grace, visitor] = [await kit.signedInAs('user'), await kit.signedInAs('user'), kit.visitor()];
    expect(ada.user.id).not.toBe(grace.user.id);
    expect((await visitor.get('/auth/session')).status).toBe(401);
    expect((await ada.get('/auth/session')).body).toMatchObject({ user: { id: ada.user.id } });
    await ada.signOut();
    expect((await ada.get('/auth/session')).status).toBe(401);
    expect((await grace.get('/auth/session')).body).toMatchObject({ user: { id: grace.user.id } });
    await ada.signIn();
    expect((await ada.get('/auth/session')).body).toMatchObject({ user: { id: ada.user.id } });
    await expect(
      grace.authenticator.get({ challenge: 'AAAA', allowCredentials: idsOf(ada) }),
    ).rejects.toThrow();
  });

  test('has the requested username, which must not exist yet', async () => {
    expect((await kit.signedInAs('admin', { username: 'ada' })).user.username).toBe('ada');
    await expect(kit.signedInAs('user', { username: 'ada' })).rejects.toThrow(
      'sign-up of ada failed: 409 username_taken',
    );
  });

  test('can be created concurrently with others', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => kit.signedInAs('admin')));
    expect(new Set(people.map(({ user }) => user.username)).size).toBe(5);
    for (const { user, get } of people)
      expect((await get('/auth/session')).body).toMatchObject({ user: { id: user.id } });
  });

  test.each(['king', 'toString', '', undefined, null])('cannot have the unknown role %j', async (role) => {
    const signedIn = kit.signedInAs(role as Role);
    await expect(signedIn).rejects.toThrow(TypeError);
    await expect(signedIn).rejects.toThrow(`role: expected one of user, admin, superadmin, not ${role}`);
  });

  test('causes an error with the reason if a sign-in or a step-up fails', async () => {
    const ada = await kit.signedInAs('user', { username: 'ada' });
    await ada.signOut();
    await expect(ada.stepUp()).rejects.toThrow('step-up of ada failed: 401 not_authenticated');
    await kit.auth.asOperator('test').users.disable('ada');
    await expect(ada.signIn()).rejects.toThrow('sign-in of ada failed: 409 account_disabled');
  });
});

describe('an organization of the test service', () => {
  test('has the requested members and organization admins, and its creator', async () => {
    const [engines, looms] = [await kit.organization('Analytical Engines'), await kit.organization()];
    expect(engines).toEqual({
      id: expect.any(String),
      name: 'Analytical Engines',
      slug: 'analytical-engines',
    });
    const ada = await kit.signedInAs('user', { memberOf: [engines, looms] });
    const grace = await kit.signedInAs('admin', { adminOf: [engines] });
    const rolesIn = async ({ id }: { id: string }) =>
      (
        await grace.get<{ members: { user: { id: string }; role: string }[] }>(
          `/auth/organizations/${id}/members`,
        )
      ).body.members?.map(({ user, role }) => [user.id, role]);
    expect(await rolesIn(engines)).toHaveLength(3);
    expect(await rolesIn(engines)).toEqual(
      expect.arrayContaining([
        [ada.user.id, 'user'],
        [grace.user.id, 'admin'],
      ]),
    );
    expect(await rolesIn(looms)).toBeUndefined();
    expect((await kit.auth.principalOf(ada.user.id))?.memberships).toHaveLength(2);
    expect((await kit.auth.asOperator('test').overview()).superadmins).toEqual([]);
  });

  test('has members who accepted an invitation', async () => {
    const engines = await kit.organization();
    const ada = await kit.signedInAs('user', { memberOf: [engines] });
    const { events: items } = await kit.auth.asOperator('test').audit.list({ actorId: ada.user.id });
    expect(items.map(({ event, organizationId }) => [event, organizationId])).toEqual([
      ['organization_invitation.accept', engines.id],
      ['account.signup', null],
    ]);
  });

  test('can be given to `memberOf`, unlike an organization that a user created', async () => {
    const ada = await kit.signedInAs('admin');
    const { body } = await ada.post<{ organization: { id: string } }>('/auth/organizations', { name: 'Own' });
    await expect(
      kit.signedInAs('user', { username: 'grace', memberOf: [body.organization] }),
    ).rejects.toThrow('inviting grace failed: 404 not_found');
  });
});

const idsOf = ({ authenticator }: Awaited<ReturnType<TestAuthService['signedInAs']>>) =>
  authenticator.credentials.map(({ id }) => ({ id, type: 'public-key' as const }));

test('with the sign-up mode closed, the service for the sign-ups starts at the first `signedInAs`', async () => {
  const memory = createInMemoryDatabase();
  let isAway = false;
  const warnings: string[] = [];
  const log = {
    info: () => {},
    warn: (_: object, text: string) => void warnings.push(text),
    error: () => {},
  };
  const query: Database['query'] = (statement) =>
    isAway ? Promise.reject(Object.assign(new Error('gone'), { code: '08006' })) : memory.query(statement);
  const own = await createTestAuthService({
    signUp: { mode: 'closed' },
    // In production, each start of a service without rate limits logs a warning.
    origins: 'https://app.example',
    rpId: 'app.example',
    log,
    database: { query },
  });
  expect((await own.visitor().get('/auth/session')).status).toBe(401);
  expect(warnings).toHaveLength(1);
  isAway = true;
  await expect(own.signedInAs('user')).rejects.toThrow('The database cannot be used');
  expect(warnings).toHaveLength(2);
  await own.close();
  await expect(own.signedInAs('user')).rejects.toThrow('this test service is closed');
});

test.each(['invitation', 'closed'] as const)(
  'with the sign-up mode %s, `signedInAs` still creates users, and a visitor cannot sign up',
  async (mode) => {
    const names: string[] = [];
    const own = await createTestAuthService({
      signUp: { mode, before: ({ username }) => void names.push(username) },
    });
    for (const role of ['user', 'admin', 'superadmin'] as const) {
      const person = await own.signedInAs(role, { username: `${role}-of-kit` });
      expect(person.user.role).toBe(role);
      await person.signOut();
      await person.signIn();
      expect((await person.get('/auth/session')).status).toBe(200);
    }
    expect(new Set(names)).toEqual(new Set(['user-of-kit', 'admin-of-kit', 'superadmin-of-kit']));
    const refused = await own.visitor().post('/auth/passkey/register/start', { username: 'visitor' });
    expect(refused.body).toMatchObject({
      code: mode === 'closed' ? 'sign_up_closed' : 'invitation_required',
    });
    await own.close();
  },
);

test('in memory, a visitor signs up with the link of an organization, once', async () => {
  const own = await createTestAuthService({ signUp: { mode: 'invitation', organizationInvitations: true } });
  const { organizations } = own.auth.asOperator('ops');
  const { id, slug } = await organizations.create({ name: 'Engines' });
  const { token } = await organizations.invite(slug);
  const visitor = own.visitor();
  const authenticator = createSoftwareAuthenticator({ origin: 'http://localhost:3000' });
  const started = await visitor.post<{ options: Parameters<typeof authenticator.create>[0] }>(
    '/auth/passkey/register/start',
    {
      username: 'newcomer',
      invitation: token,
    },
  );
  const credential = await authenticator.create(started.body.options);
  expect((await visitor.post('/auth/passkey/register/verify', { credential })).status).toBe(201);
  const { members } = await organizations.listMembers({ id }, { sortBy: 'id' });
  expect(members).toMatchObject([{ user: { username: 'newcomer' }, role: 'user' }]);
  expect((await organizations.list({ sortBy: 'id' })).organizations).toMatchObject([{ id }]);
  const again = await own.visitor().post('/auth/passkey/register/start', {
    username: 'another',
    invitation: token,
  });
  expect(again.body).toMatchObject({ code: 'invitation_unusable' });
  await own.close();
});
