import { Router } from '@koa/router';
import {
  type AuthService,
  type AuthState,
  capabilities,
  createAuthService,
  type GuardedState,
  type Principal,
  requirePermission,
  requireRole,
  type Session,
  type User,
} from 'latchkey';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { deleteUser, found, memberPath, signUpAs, signUpMember } from '../features/support/authority.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { type GuardedApp, startGuarded } from './support/guarded-app.ts';

const settings = { secret, env: {}, rateLimit: false } as const;

/** The service with what an application of ours lets people do. */
const createReporting = (database: string) =>
  createAuthService({
    ...settings,
    database,
    capabilities: {
      user: { 'report:read': ['own', 'joined'], 'report:comment': 'any' },
      admin: { 'report:publish': 'managed', 'report:read': 'managed' },
      superadmin: { 'report:delete': 'any', 'report:shred': [] },
    },
  });

let service: TestService;
let auth: Awaited<ReturnType<typeof createReporting>>;
let app: GuardedApp;
let founder: Person;
let orgAdmin: Person;
let member: Person;
let stranger: Person;
let superadmin: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  auth = await createReporting(service.database.url);
  founder = await signUpAs(service, 'admin');
  superadmin = await signUpAs(service, 'superadmin');
  stranger = await signUp(service);
  organization = await found(founder.browser);
  orgAdmin = await signUpMember(service, founder.browser, organization, 'admin');
  member = await signUpMember(service, founder.browser, organization);
  const ours = () => ({ organizationId: organization.id });
  app = await startGuarded((router) => {
    router.get('/read', requirePermission(auth, 'report:read', ours));
    router.get('/comment', requirePermission(auth, 'report:comment'));
    router.get('/publish', requirePermission(auth, 'report:publish', ours));
    router.get('/delete', requirePermission(auth, 'report:delete', ours));
    router.get('/shred', requirePermission(auth, 'report:shred', ours));
    router.get('/manage', requirePermission(auth, 'file:manage', ours));
  });
});
afterAll(async () => {
  await app.close();
  await auth.close();
  await service.close();
});

describe('capabilities of the application’s own', () => {
  test.each([
    // stranger, member, orgAdmin, founder (role admin), superadmin; what stands nowhere, a superadmin has not either
    ['/read', '404 200 200 200 404'],
    ['/comment', '200 200 200 200 200'],
    // An admin of the organization is not yet of role admin.
    ['/publish', '404 403 403 200 404'],
    ['/delete', '404 403 403 403 200'],
    ['/shred', '404 403 403 403 404'],
    ['/manage', '404 403 200 200 200'],
  ])('hold beside the service’s, as their table says: %s', async (path, expected) => {
    const statuses: number[] = [];
    for (const { browser } of [stranger, member, orgAdmin, founder, superadmin]) {
      statuses.push((await app.as(browser).get(path)).status);
    }
    expect(statuses.join(' ')).toBe(expected);
  });

  test('are asked of principals, too, whose memberships the service reads', async () => {
    const ours = { organizationId: organization.id };
    const principal = await auth.principalOf(userIdOf(orgAdmin));
    expect(principal).toEqual({
      id: userIdOf(orgAdmin),
      role: 'user',
      status: 'active',
      memberships: [{ organizationId: organization.id, role: 'admin' }],
    });
    if (principal === null) return;
    expect(auth.can(principal, 'report:read', ours)).toBe(true);
    expect(auth.can(principal, 'report:publish', ours)).toBe(false);
    expect(auth.can({ ...principal, role: 'admin' }, 'report:publish', ours)).toBe(true);
    expect(auth.can({ ...principal, status: 'disabled' }, 'report:comment')).toBe(false);
    expect(auth.can(principal, 'organization:members:promote', ours)).toBe(true);
    expect(auth.can(principal, 'role:assign')).toBe(false);
  });

  test('are unknown to a service that was not given them', async () => {
    const principal = (await service.auth.principalOf(userIdOf(superadmin))) as Principal;
    expect(auth.can(principal, 'report:comment')).toBe(true);
    expect(service.auth.can(principal, 'report:comment' as 'file:read')).toBe(false);
    expect(Object.keys(capabilities.user)).not.toContain('report:read');
  });
});

describe('a principal', () => {
  test('is there for everybody who is, disabled people too, as it is now', async () => {
    const person = await signUpMember(service, founder.browser, organization);
    const read = () => auth.principalOf(userIdOf(person));
    expect(await read()).toMatchObject({ status: 'active', memberships: [{ role: 'user' }] });
    await founder.browser.delete(memberPath(organization, person));
    expect(await read()).toMatchObject({ status: 'active', memberships: [] });
    await superadmin.browser.post(`/auth/admin/users/${userIdOf(person)}/disable`);
    expect(await read()).toMatchObject({ status: 'disabled' });
    await deleteUser(superadmin.browser, person);
    expect(await read()).toBeNull();
  });

  test.each(['00000000-0000-7000-8000-000000000000', 'not-an-id', '', '\0'])(
    'is null for the id %j',
    async (id) => {
      expect(await auth.principalOf(id)).toBeNull();
    },
  );
});

describe('a service is not made', () => {
  test.each<[what: string, table: unknown, told: RegExp]>([
    ['with a role that there is not', { owner: { 'report:read': 'own' } }, /^capabilities\.owner: /],
    ['with a role of the prototype', JSON.parse('{"__proto__":{"a:b":"any"}}'), /^capabilities\.__proto__: /],
    ['with a scope that there is not', { user: { 'report:read': 'all' } }, /report:read'\]: expected scopes/],
    ['with a scope in capitals', { user: { 'report:read': 'ANY' } }, /expected scopes among own, joined/],
    [
      'with one bad scope among good ones',
      { admin: { 'r:d': ['own', 'mine'] } },
      /^capabilities\.admin\['r:d'\]/,
    ],
    ['with true for a scope', { user: { 'report:read': true } }, /expected scopes/],
    ['with null for a scope', { user: { 'report:read': null } }, /expected scopes/],
    ['with a scope in a list in a list', { user: { 'report:read': [['own']] } }, /expected scopes/],
    ['with a name of the service’s own', { user: { 'file:read': 'any' } }, /the service has a capability/],
    [
      'with a name that the service gives another role',
      { user: { 'role:assign': 'any' } },
      /capability of that/,
    ],
    ['with a text for a table', 'any', /^capabilities\./],
    ['with null for a table', null, /./],
    ['with null for the capabilities of a role', { user: null }, /./],
    ['with a text for the capabilities of a role', { user: 'report:read' }, /^capabilities\.user/],
  ])('%s: before anything is connected to', async (_, table, told) => {
    let asked = 0;
    const database = { query: () => Promise.reject(new Error(`asked ${++asked} times`)) };
    const made = createAuthService({ ...settings, database, capabilities: table as never });
    await expect(made).rejects.toThrow(TypeError);
    await expect(made).rejects.toThrow(told);
    expect(asked).toBe(0);
  });
});

// Held by the compiler: what is not refused where it says so does not pass the type check.
describe('the types', () => {
  test('know the service’s capabilities and the application’s, and no others', () => {
    expectTypeOf(auth).toEqualTypeOf<
      AuthService<'report:read' | 'report:comment' | 'report:publish' | 'report:delete' | 'report:shred'>
    >();
    requirePermission(auth, 'report:read');
    requirePermission(auth, 'file:read');
    // @ts-expect-error: nobody knows of it
    requirePermission(auth, 'report:raed');
    // @ts-expect-error: this service was not given it
    requirePermission(service.auth, 'report:read');
    requireRole(auth, 'admin');
    // @ts-expect-error: there is no such role
    requireRole(auth, 'owner');
    const principal: Principal = { id: '1', role: 'user', status: 'active' };
    auth.can(principal, 'report:read');
    // @ts-expect-error: nobody knows of it
    auth.can(principal, 'report:raed');
    // @ts-expect-error: this service was not given it
    service.auth.can(principal, 'report:read');
    // @ts-expect-error: whose it is, is a text
    requirePermission(auth, 'file:read', () => ({ ownerId: 1 }));
    // @ts-expect-error: nothing is null, not undefined
    requirePermission(auth, 'file:read', async () => undefined);
    // @ts-expect-error: there is no such scope
    const make = () => createAuthService({ capabilities: { user: { 'a:b': 'all' } } });
    expectTypeOf(make).toBeFunction();
  });

  test('tell a handler behind a guard who it is', () => {
    const router = new Router<GuardedState>();
    router.get('/a', requireRole(auth, 'admin'), (ctx) => {
      expectTypeOf(ctx.state.auth).toEqualTypeOf<AuthState>();
      expectTypeOf(ctx.state.auth.user).toEqualTypeOf<User>();
      expectTypeOf(ctx.state.auth.session).toEqualTypeOf<Session>();
    });
    router.put(
      '/b/:id',
      requirePermission(auth, 'report:publish', (ctx) => ({ ownerId: ctx.params.id })),
      (ctx) => {
        expectTypeOf(ctx.state.auth.user.role).toEqualTypeOf<'user' | 'admin' | 'superadmin'>();
      },
    );
  });
});
