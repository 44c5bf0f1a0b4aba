import {
  type AuthService,
  createAuthRouter,
  createAuthService,
  createCors,
  createWellKnownRouter,
  optionalSession,
  requireFresh,
  requirePermission,
  requireRole,
  requireSession,
  toFetchHandler,
  toNodeHandler,
} from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let auth: AuthService<'note:write' | 'note:publish'>;
const capabilities = {
  user: { 'note:write': 'own', 'note:publish': ['own', 'managed'] },
  superadmin: { 'note:write': 'any' },
} as const;
beforeAll(async () => {
  service = await startTestService({ capabilities });
  auth = service.auth as typeof auth;
});
afterAll(() => service.close());

/** The message of a mistake. The types reject most of them, but JavaScript has no types. */
function messageOf(mistake: () => unknown): string {
  try {
    mistake();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'no error';
}
// biome-ignore lint/suspicious/noExplicitAny: stands for every wrong value
type Wrong = any;
const missing: Wrong = undefined;

describe('a missing service is reported by', () => {
  test.each<[name: string, mistake: () => unknown]>([
    ['requireSession', () => requireSession(missing)],
    ['optionalSession', () => optionalSession(missing)],
    ['requireFresh', () => requireFresh(missing)],
    ['requireRole', () => requireRole(missing, 'admin')],
    ['requirePermission', () => requirePermission(missing, 'user:read')],
    ['createAuthRouter', () => createAuthRouter(missing)],
    ['createWellKnownRouter', () => createWellKnownRouter(missing)],
    ['createCors', () => createCors(missing)],
    ['toNodeHandler', () => toNodeHandler(missing)],
    ['toFetchHandler', () => toFetchHandler(missing)],
  ])('%s', (name, mistake) => {
    expect(messageOf(mistake)).toBe(
      `TypeError: ${name}: expected the result of createAuthService, given undefined`,
    );
  });
});

test.each<[name: string, middleware: Wrong]>([
  ['requireSession', requireSession],
  ['createCors', createCors],
])('%s that is mounted without a call says how to call it', (name, middleware) => {
  const context: Wrong = { app: {}, req: {}, res: {} };
  expect(messageOf(() => middleware(context))).toBe(
    `TypeError: ${name}: expected the result of createAuthService, given the context of Koa. Write ${name}(auth), not ${name}`,
  );
});

describe('a forgotten await is reported by', () => {
  const promise: Wrong = Promise.resolve();
  const awaiting = 'createAuthService returns a promise. Write: const auth = await createAuthService(…)';

  test('the router and the guards', () => {
    expect(messageOf(() => createAuthRouter(promise))).toBe(`TypeError: createAuthRouter: ${awaiting}`);
    expect(messageOf(() => requireSession(promise))).toBe(`TypeError: requireSession: ${awaiting}`);
  });

  test.each(['config', 'users', 'sessionOf', 'can', 'principalOf', 'asOperator', 'on', 'isReady', 'close'])(
    'the promise, if the code reads %s from it',
    (name) => {
      const forgotten: Wrong = createAuthService({ database: 5 as never, env: {} });
      expect(messageOf(() => forgotten[name])).toBe(`TypeError: auth.${name}: ${awaiting}`);
    },
  );
});

test('an awaited createAuthService rejects with its own error', async () => {
  const awaited = createAuthService({ database: 5 as never, env: {} });
  await expect(awaited).rejects.toThrow('database: expected a URL');
});

describe('requireRole rejects', () => {
  test.each<[what: string, role: Wrong, given: string]>([
    ['a misspelled role', 'admins', '"admins". Did you mean "admin"?'],
    ['an organization role', 'owner', '"owner".'],
    ['undefined', undefined, 'undefined'],
    ['a list of roles', ['admin'], 'an array'],
  ])('%s', (_, role, given) => {
    expect(messageOf(() => requireRole(auth, role))).toBe(
      `TypeError: requireRole: expected one of user, admin, superadmin, given ${given}`,
    );
  });
});

describe('requirePermission rejects', () => {
  test.each<[what: string, capability: Wrong, given: string]>([
    ['a misspelled capability', 'note:writes', '"note:writes". Did you mean "note:write"?'],
    ['the name of a property of all objects', 'constructor', '"constructor".'],
    ['undefined', undefined, 'undefined'],
  ])('%s', (_, capability, given) => {
    expect(messageOf(() => requirePermission(auth, capability, () => ({})))).toBe(
      `TypeError: requirePermission: expected a capability of the service or of the options capabilities and organizationRoles, given ${given}`,
    );
  });

  test('a capability that depends on the resource, without a function for the resource', () => {
    expect(messageOf(() => requirePermission(auth, 'note:publish'))).toBe(
      "TypeError: requirePermission: 'note:publish' depends on the resource, so pass a function as the third argument, such as async (ctx) => ({ ownerId: …, organizationId: … })",
    );
    expect(messageOf(() => requirePermission(auth, 'note:write'))).toBe('no error');
  });

  test('a resource instead of a function', () => {
    const resource: Wrong = { ownerId: '1' };
    expect(messageOf(() => requirePermission(auth, 'note:publish', resource))).toBe(
      'TypeError: requirePermission: expected a function that returns the resource as the third argument, given an object',
    );
  });
});

test('createAuthRouter rejects a prefix that is not a path', () => {
  expect(messageOf(() => createAuthRouter(auth, { prefix: 'auth' }))).toBe(
    'TypeError: prefix: expected a path such as /auth, not auth',
  );
});
