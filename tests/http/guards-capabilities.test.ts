import { Router } from '@koa/router';
import Koa from 'koa';
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
import { createAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { serve } from '../support/serve.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';
import { type GuardedApp, startGuarded } from './support/guarded-app.ts';

const settings = { secret, env: {}, rateLimit: false } as const;

/** A service with capabilities that the application defines. */
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
    router.get('/manage', requirePermission(auth, 'organization:update', ours));
  });
});
afterAll(async () => {
  await app.close();
  await auth.close();
  await service.close();
});

describe('the application’s capabilities', () => {
  test.each([
    // Columns: stranger, member, orgAdmin, founder (role admin), superadmin. Unlisted capabilities are denied to all.
    ['/read', '404 200 200 200 404'],
    ['/comment', '200 200 200 200 200'],
    // A route for the role admin rejects an organization admin without this role.
    ['/publish', '404 403 403 200 404'],
    ['/delete', '404 403 403 403 200'],
    ['/shred', '404 403 403 403 404'],
    ['/manage', '404 403 200 200 200'],
  ])('are checked on the route %s, together with the built-in capabilities', async (path, expected) => {
    const statuses: number[] = [];
    for (const { browser } of [stranger, member, orgAdmin, founder, superadmin]) {
      statuses.push((await app.as(browser).get(path)).status);
    }
    expect(statuses.join(' ')).toBe(expected);
  });

  test('are checked after the resource function has read the user and the session', async () => {
    const seen: unknown[] = [];
    const router = new Router<GuardedState>();
    const ownNotes = requirePermission(auth, 'report:read', ({ state }) => {
      expectTypeOf(state.auth).toEqualTypeOf<AuthState>();
      seen.push(state.auth.user.id, state.auth.session.kind);
      return { ownerId: state.auth.user.id };
    });
    const strangersNotes = requirePermission(auth, 'report:read', ({ state }) => {
      seen.push(state.auth.user.id);
      return { ownerId: userIdOf(member) };
    });
    router.get('/own', ownNotes, (ctx) => {
      ctx.body = ctx.state.auth.user.id;
    });
    router.get(
      '/refused',
      async (ctx, next) => {
        await next().catch(({ code }) => {
          ctx.body = [code, ctx.state.auth ?? null];
        });
      },
      strangersNotes,
    );
    const application = new Koa();
    application.use(router.routes());
    const { url, close } = await serve(application);
    const browser = createAgent(url, origin, new Map(stranger.browser.cookies));
    expect((await browser.get('/own')).body).toBe(userIdOf(stranger));
    // A user without the capability is not in `ctx.state.auth` afterwards.
    expect((await browser.get('/refused')).body).toEqual(['not_found', null]);
    expect(seen).toEqual([userIdOf(stranger), 'full', userIdOf(stranger)]);
    await close();
  });

  test('can be checked for a principal and its memberships', async () => {
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

  test('are unknown to a service that was created without them', async () => {
    const principal = (await service.auth.principalOf(userIdOf(superadmin))) as Principal;
    expect(auth.can(principal, 'report:comment')).toBe(true);
    expect(service.auth.can(principal, 'report:comment' as 'user:read')).toBe(false);
    expect(Object.keys(capabilities.user)).not.toContain('report:read');
  });
});

describe('a principal', () => {
  test('has the current status and memberships of the user, even if the user is disabled', async () => {
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

describe('creating a service fails', () => {
  test.each<[what: string, table: unknown, message: RegExp]>([
    ['with an unknown role', { owner: { 'report:read': 'own' } }, /^capabilities\.owner: /],
    ['with __proto__ as a role', JSON.parse('{"__proto__":{"a:b":"any"}}'), /^capabilities\.__proto__: /],
    ['with an unknown scope', { user: { 'report:read': 'all' } }, /report:read'\]: expected scopes/],
    ['with a scope in capitals', { user: { 'report:read': 'ANY' } }, /expected scopes among own, joined/],
    [
      'with one invalid and one valid scope',
      { admin: { 'r:d': ['own', 'mine'] } },
      /^capabilities\.admin\['r:d'\]/,
    ],
    ['with true as a scope', { user: { 'report:read': true } }, /expected scopes/],
    ['with null as a scope', { user: { 'report:read': null } }, /expected scopes/],
    ['with a scope in a nested list', { user: { 'report:read': [['own']] } }, /expected scopes/],
    [
      'with the name of a built-in capability',
      { user: { 'user:read': 'any' } },
      /expected no value, because the role does not have this built-in capability/,
    ],
    [
      'with a built-in capability of another role',
      { user: { 'role:assign': 'any' } },
      /expected no value, because the role does not have this built-in capability/,
    ],
    ['with a string as the table', 'any', /^capabilities: expected an object, given a string/],
    ['with a list as the table', ['report:read'], /^capabilities: expected an object, given an array/],
    ['with null as the table', null, /^capabilities: expected an object, given null/],
    ['with null as the capabilities of a role', { user: null }, /./],
    ['with a string as the capabilities of a role', { user: 'report:read' }, /^capabilities\.user/],
  ])('%s, before the first database query', async (_, table, message) => {
    let queries = 0;
    const database = { query: () => Promise.reject(new Error(`query ${++queries}`)) };
    const made = createAuthService({ ...settings, database, capabilities: table as never });
    await expect(made).rejects.toThrow(TypeError);
    await expect(made).rejects.toThrow(message);
    expect(queries).toBe(0);
  });
});

// The type check verifies these: an unused @ts-expect-error is a compile error.
describe('the types', () => {
  test('allow exactly the capabilities of the service and the application', () => {
    expectTypeOf(auth).toEqualTypeOf<
      AuthService<'report:read' | 'report:comment' | 'report:publish' | 'report:delete' | 'report:shred'>
    >();
    requirePermission(auth, 'report:comment');
    requirePermission(auth, 'user:read');
    // @ts-expect-error: unknown capability
    expect(() => requirePermission(auth, 'report:raed')).toThrow(TypeError);
    // @ts-expect-error: this service does not have the capability
    expect(() => requirePermission(service.auth, 'report:read')).toThrow(TypeError);
    requireRole(auth, 'admin');
    // @ts-expect-error: unknown role
    expect(() => requireRole(auth, 'owner')).toThrow(TypeError);
    const principal: Principal = { id: '1', role: 'user', status: 'active' };
    auth.can(principal, 'report:read');
    // @ts-expect-error: unknown capability
    auth.can(principal, 'report:raed');
    // @ts-expect-error: this service does not have the capability
    service.auth.can(principal, 'report:read');
    // @ts-expect-error: ownerId must be a string
    requirePermission(auth, 'user:read', () => ({ ownerId: 1 }));
    // @ts-expect-error: a missing resource is null, not undefined
    requirePermission(auth, 'user:read', async () => undefined);
    // @ts-expect-error: unknown scope
    const make = () => createAuthService({ capabilities: { user: { 'a:b': 'all' } } });
    expectTypeOf(make).toBeFunction();
  });

  test('declare the user and session in ctx.state.auth of a handler behind a guard', () => {
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
