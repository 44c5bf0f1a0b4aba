import { Router } from '@koa/router';
import type Koa from 'koa';
import {
  AuthError,
  type AuthService,
  optionalSession,
  requireFresh,
  requirePermission,
  requireRole,
  requireSession,
} from 'latchkey';
import { verifyServiceToken } from 'latchkey/service-token';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUpAs } from '../features/support/authority.ts';
import { isSignedIn } from '../features/support/current-session.ts';
import {
  impersonate,
  operatorAs,
  superadminAs,
  useImpersonationLink,
} from '../features/support/impersonation.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { serviceSigningKeyOf } from '../support/service-signing-key.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';

const options = { bcryptCost: 4, impersonation: true, bearerTokens: true };
let service: TestService;
/** Another instance, with routes of an application. */
let guarded: ServiceOn;
let ada: Person;
let admin: Person;
beforeAll(async () => {
  service = await startTestService(options);
  guarded = await startServiceOn(service.database.url, options, mountRoutes);
  ada = await signUp(service);
  admin = await signUpAs(service, 'admin');
});
afterAll(async () => {
  await guarded.close();
  await service.close();
});

function mountRoutes(app: Koa, auth: AuthService): void {
  const router = new Router();
  const answer = (ctx: { state: { auth?: { session: { impersonator: unknown } } }; body: unknown }) => {
    ctx.body = { impersonator: ctx.state.auth?.session.impersonator ?? null };
  };
  router.get('/session', requireSession(auth), answer);
  router.get('/own/session', requireSession(auth, { impersonated: false }), answer);
  router.get('/role', requireRole(auth, 'user'), answer);
  router.get('/own/role', requireRole(auth, 'user', { impersonated: false }), answer);
  router.get('/admin', requireRole(auth, 'admin'), answer);
  const joined = () => ({ ownerId: null, organizationId: null });
  router.get('/permission', requirePermission(auth, 'organization:create'), answer);
  router.get(
    '/own/permission',
    requirePermission(auth, 'organization:create', joined, { impersonated: false }),
    answer,
  );
  router.get('/fresh', requireFresh(auth), answer);
  router.get('/optional', optionalSession(auth), answer);
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      ctx.status = error.status;
      ctx.body = { code: error.code };
    }
  });
  app.use(router.routes());
}

const outcome = async (browser: Person['browser'], path: string) => {
  const { status, body } = await guarded.browser(browser.cookies).get(path);
  return status === 200 ? 'admitted' : body.code;
};

describe('the guards', () => {
  test.each([
    ['/session', 'admitted'],
    ['/own/session', 'impersonating'],
    ['/role', 'admitted'],
    ['/own/role', 'impersonating'],
    ['/admin', 'impersonating'],
    ['/permission', 'impersonating'],
    ['/own/permission', 'impersonating'],
    ['/fresh', 'impersonating'],
    ['/optional', 'admitted'],
  ])('on %s, an impersonator of an admin is %s, and the admin is admitted', async (path, expected) => {
    expect(await outcome(await operatorAs(service, admin), path)).toBe(expected);
    expect(await outcome(admin.browser, path)).toBe('admitted');
  });

  test('set ctx.state.auth.session.impersonator', async () => {
    const browser = await operatorAs(service, ada);
    const impersonator = { type: 'operator', id: null, name: 'grace' };
    expect((await guarded.browser(browser.cookies).get('/session')).body).toEqual({ impersonator });
    expect((await guarded.browser(ada.browser.cookies).get('/session')).body).toEqual({ impersonator: null });
  });

  test.each([
    [undefined, 'expected an object such as { impersonated: false }, given undefined'],
    [null, 'expected an object such as { impersonated: false }, given null'],
    [false, 'expected an object such as { impersonated: false }, given a boolean'],
    [{ impersonate: false }, 'impersonate: unknown option. The only option is impersonated'],
    [{ impersonated: undefined }, 'impersonated: expected true or false, given undefined'],
    [{ impersonated: 'no' }, 'impersonated: expected true or false, given a string'],
  ])('reject the options %j', (options, message) => {
    const { auth } = service;
    expect(() => requireSession(auth, options as never)).toThrow(TypeError(`requireSession: ${message}`));
    expect(() => requireRole(auth, 'user', options as never)).toThrow(TypeError(`requireRole: ${message}`));
    expect(() => requirePermission(auth, 'organization:create', undefined, options as never)).toThrow(
      TypeError(`requirePermission: ${message}`),
    );
  });
});

test('requireAccess refuses an impersonator with impersonated: false', async () => {
  const headers = cookieHeader(await operatorAs(service, ada));
  const { auth } = service;
  const read = await auth.requireAccess(headers, { method: 'GET' });
  expect(read.session.impersonator?.name).toBe('grace');
  await expect(auth.requireAccess(headers, { method: 'GET', impersonated: false })).rejects.toMatchObject({
    code: 'impersonating',
  });
  await expect(auth.requireAccess(headers, { method: 'GET', fresh: true })).rejects.toMatchObject({
    code: 'impersonating',
  });
  const undefinedValue = { method: 'GET', impersonated: undefined } as never;
  await expect(auth.requireAccess(headers, undefinedValue)).rejects.toThrow(TypeError);
});

describe('a service token of an impersonator', () => {
  const { x, kid } = serviceSigningKeyOf(secret);
  const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }] };
  const claimsOf = async (browser: Person['browser']) => {
    const { status, body } = await browser.post('/auth/session/token');
    expect(status).toBe(201);
    return verifyServiceToken(body.token, { issuer: origin, audience: 'localhost', jwks });
  };

  test('names the superadmin or the operator, and has the role user and an empty `amr`', async () => {
    const superadmin = await superadminAs(service, admin);
    const expected = { userId: userIdOf(admin), role: 'user', methods: [] };
    expect(await claimsOf(superadmin.browser)).toMatchObject({
      ...expected,
      actorId: userIdOf(superadmin),
    });
    const browser = await operatorAs(service, admin);
    expect(await claimsOf(browser)).toMatchObject({ ...expected, actorId: 'operator:grace' });
    expect((await claimsOf(admin.browser)).actorId).toBeNull();
  });
});

test('a client with bearer tokens gets the token of the impersonated session in the body', async () => {
  const superadmin = await signUpAs(service, 'superadmin');
  const token = superadmin.browser.cookies.get('latchkey') ?? '';
  const native = service.browser();
  const bearer = { Authorization: `Bearer ${token}`, 'Latchkey-Session': 'bearer' };
  const path = `/auth/admin/users/${userIdOf(ada)}/impersonation`;
  const answer = await native.post(path, { reason: 'Ticket 1' }, bearer);
  expect(answer.status).toBe(201);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const { sessionToken } = answer.body;
  const shown = await native.get('/auth/session', { Authorization: `Bearer ${sessionToken}` });
  expect(shown.body.session.impersonator.id).toBe(userIdOf(superadmin));
  expect((await native.get('/auth/session', bearer)).status).toBe(401);
});

test('the in-memory database starts impersonated sessions, and ends them when the superadmin is demoted', async () => {
  const memory = await startServiceOn(createInMemoryDatabase(), { migrate: true, impersonation: true });
  try {
    const [person, other] = [await signUp(memory), await signUp(memory)];
    const { users } = memory.auth.asOperator('grace');
    await users.changeRole(other.username, 'superadmin');
    await users.changeRole((await signUp(memory)).username, 'superadmin');
    const { token } = await users.impersonate(person.username, { reason: 'Ticket 1' });
    const browser = memory.browser();
    expect((await useImpersonationLink(browser, token)).status).toBe(200);
    expect((await browser.delete('/auth/sessions')).body.code).toBe('impersonating');
    expect((await impersonate(other.browser, person)).status).toBe(201);
    expect(await isSignedIn(other.browser)).toBe(true);
    expect(await isSignedIn(person.browser)).toBe(true);
    await users.changeRole(other.username, 'admin');
    expect(await isSignedIn(other.browser)).toBe(false);
  } finally {
    await memory.close();
  }
});
