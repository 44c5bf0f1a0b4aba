import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import {
  type AccessRequirement,
  AuthError,
  type AuthService,
  createAuthService,
  type SessionSource,
} from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { changeRole, found, signUpAs, signUpMember } from '../features/support/authority.ts';
import { addPassword, logInByPassword } from '../features/support/passwords.ts';
import { startRecovering } from '../features/support/recovery.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';

const foreign = 'https://evil.example';

const createFiling = (database: string) =>
  createAuthService({
    secret,
    env: {},
    rateLimit: false,
    database,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    capabilities: {
      user: { 'file:read': ['own', 'joined'], 'file:tag': 'any', 'file:share': 'managed' },
      admin: { 'file:audit': 'any' },
      superadmin: { 'file:shred': [] },
    },
  });

let service: TestService;
let auth: Awaited<ReturnType<typeof createFiling>>;
let user: Person;
let admin: Person;
let superadmin: Person;
let member: Person;
let orgAdmin: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  auth = await createFiling(service.database.url);
  user = await signUp(service);
  admin = await signUpAs(service, 'admin');
  superadmin = await signUpAs(service, 'superadmin');
  organization = await found(admin.browser);
  member = await signUpMember(service, admin.browser, organization);
  orgAdmin = await signUpMember(service, admin.browser, organization, 'admin');
});
beforeEach(() => {
  service.statements.length = 0;
});
afterAll(async () => {
  await auth.close();
  await service.close();
});

type Headers = Record<string, string>;
type Requirement = Parameters<typeof auth.requireAccess>[1];

function incoming(method: string, headers: Headers): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method, url: '/page', headers });
}
const requestBy = ({ browser }: Pick<Person, 'browser'>, method = 'GET', headers: Headers = {}) =>
  incoming(method, { ...cookieHeader(browser), ...headers });

/** The name of the user, or the code of the error. Rejects with every other error. */
async function outcome(source: SessionSource, ...requirement: [Requirement?]): Promise<string> {
  try {
    return (await auth.requireAccess(source, ...requirement)).user.username;
  } catch (error) {
    if (error instanceof AuthError) return error.code;
    throw error;
  }
}

const outcomesOf = async (people: Person[], requirement: Requirement): Promise<string[]> => {
  const outcomes: string[] = [];
  for (const person of people) {
    const result = await outcome(requestBy(person), requirement);
    outcomes.push(result === person.username ? 'ok' : result);
  }
  return outcomes;
};

describe('without a requirement', () => {
  test('returns the full session and its user', async () => {
    const read = await auth.requireAccess(requestBy(user));
    expect(read).toMatchObject({ user: user.signedUp.body.user, fresh: true, privileged: true });
    expect(await outcome(requestBy(user), {})).toBe(user.username);
  });

  test('refuses a request without a session, with a recovery session, and with an ended session', async () => {
    expect(await outcome(incoming('GET', {}))).toBe('not_authenticated');
    expect(await outcome(incoming('GET', { cookie: 'latchkey=x' }))).toBe('not_authenticated');
    expect(await outcome(requestBy(await startRecovering(service)))).toBe('recovery_session');
    const leaving = await signUp(service);
    const request = requestBy(leaving);
    expect(await outcome(request, { role: 'user' })).toBe(leaving.username);
    await leaving.browser.delete('/auth/session');
    expect(await outcome(request, { role: 'user' })).toBe('not_authenticated');
  });
});

describe('a requirement', () => {
  test('of a role is met by this role and higher roles', async () => {
    const people = [user, admin, superadmin];
    expect(await outcomesOf(people, { role: 'user' })).toEqual(['ok', 'ok', 'ok']);
    expect(await outcomesOf(people, { role: 'admin' })).toEqual(['forbidden', 'ok', 'ok']);
    expect(await outcomesOf(people, { role: 'superadmin' })).toEqual(['forbidden', 'forbidden', 'ok']);
  });

  test('of a role applies to the user’s next request', async () => {
    const person = await signUpAs(service, 'admin');
    expect(await outcomesOf([person], { role: 'admin' })).toEqual(['ok']);
    await changeRole(superadmin.browser, person, 'user');
    expect(await outcomesOf([person], { role: 'admin' })).toEqual(['forbidden']);
  });

  test('of a capability is checked for the resource, as in requirePermission', async () => {
    const people = [user, member, orgAdmin, admin];
    const ours = { organizationId: organization.id };
    const mine = { ownerId: userIdOf(user) };
    for (const [requirement, expected] of [
      [{ capability: 'file:tag' }, 'ok ok ok ok'],
      [{ capability: 'file:tag', resource: mine }, 'ok ok ok ok'],
      [{ capability: 'file:read', resource: ours }, 'not_found ok ok ok'],
      [{ capability: 'file:read', resource: mine }, 'ok not_found not_found not_found'],
      [{ capability: 'file:read', resource: { ...mine, ...ours } }, 'forbidden ok ok ok'],
      [{ capability: 'file:share', resource: ours }, 'not_found forbidden ok ok'],
      [{ capability: 'organization:update', resource: ours }, 'not_found forbidden ok ok'],
      [{ capability: 'file:audit', resource: ours }, 'not_found forbidden forbidden ok'],
      [{ capability: 'file:shred' }, 'forbidden forbidden forbidden forbidden'],
      [{ capability: 'file:tag', resource: null }, 'not_found not_found not_found not_found'],
      [{ capability: 'file:tag', resource: { ownerId: null, organizationId: null } }, 'ok ok ok ok'],
    ] as [Requirement, string][])
      expect([requirement, (await outcomesOf(people, requirement)).join(' ')]).toEqual([
        requirement,
        expected,
      ]);
  });

  test('finds the resource only for a request with a full session that has the role', async () => {
    const asked: string[] = [];
    const requirement: Requirement = {
      role: 'admin',
      capability: 'file:tag',
      resource: async ({ user: { username } }) => {
        asked.push(username);
        return null;
      },
    };
    expect(await outcome(incoming('GET', {}), requirement)).toBe('not_authenticated');
    expect(await outcome(requestBy(user, 'POST', { origin: foreign }), requirement)).toBe(
      'cross_origin_request',
    );
    expect(await outcome(requestBy(user), requirement)).toBe('forbidden');
    expect(await outcome(requestBy(admin), requirement)).toBe('not_found');
    expect(asked).toEqual([admin.username]);
  });

  test('of fresh authentication is met for ten minutes after a sign-in or a step-up', async () => {
    const person = await signUp(service);
    expect(await outcomesOf([person], { fresh: true })).toEqual(['ok']);
    await service.database.sql`
      update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'
      where user_id = ${userIdOf(person)}`;
    expect(await outcomesOf([person], { fresh: true })).toEqual(['reauthentication_required']);
    expect(await outcomesOf([person], { fresh: false })).toEqual(['ok']);
    await stepUp(person.browser, person.authenticator);
    expect(await outcomesOf([person], { fresh: true })).toEqual(['ok']);
  });

  test('of a role above user, or of a capability by role, needs a session with the passkey', async () => {
    const person = await signUpAs(service, 'admin');
    await addPassword(person.browser);
    const browser = service.browser();
    expect((await logInByPassword(browser, person)).status).toBe(200);
    const byPassword = { ...person, browser };
    expect(await outcomesOf([byPassword], { role: 'user' })).toEqual(['ok']);
    expect(await outcomesOf([byPassword], { role: 'admin' })).toEqual(['passkey_required']);
    expect(await outcomesOf([byPassword], { capability: 'file:audit' })).toEqual(['passkey_required']);
    expect(await outcomesOf([byPassword], { fresh: true })).toEqual(['passkey_required']);
    expect(await outcomesOf([byPassword], { capability: 'file:tag' })).toEqual(['ok']);
  });

  test('can be one of several, and the request must meet all of them', async () => {
    const both = {
      role: 'admin',
      capability: 'file:share',
      resource: { organizationId: organization.id },
    } as const;
    expect(await outcomesOf([user, orgAdmin, superadmin, admin], both)).toEqual([
      'forbidden',
      'forbidden',
      'not_found',
      'ok',
    ]);
  });
});

describe('an invalid requirement', () => {
  const messageOf = async (...requirement: unknown[]) => {
    const error: unknown = await (auth.requireAccess as (...given: unknown[]) => Promise<unknown>)(
      requestBy(superadmin),
      ...requirement,
    ).then(
      () => 'admitted',
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message.replace(/^requireAccess: /, '');
  };

  test.each<[requirement: unknown, message: string]>([
    [{ role: undefined }, 'role: expected one of user, admin, superadmin, given undefined'],
    [{ role: null }, 'role: expected one of user, admin, superadmin, given null'],
    [{ role: 'owner' }, 'role: expected one of user, admin, superadmin, given "owner".'],
    [{ role: ['admin'] }, 'role: expected one of user, admin, superadmin, given an array'],
    [
      { capability: undefined },
      'capability: expected a capability of the service or of the options capabilities and organizationRoles, given undefined',
    ],
    [
      { capability: 'file:raed' },
      'capability: expected a capability of the service or of the options capabilities and organizationRoles, given "file:raed". Did you mean "file:read"?',
    ],
    [
      { capability: 'constructor' },
      'capability: expected a capability of the service or of the options capabilities and organizationRoles, given "constructor".',
    ],
    [
      { capability: 'file:tag', resource: undefined },
      'resource: expected null, an object or a function, given undefined',
    ],
    [
      { capability: 'file:tag', resource: { ownerId: undefined } },
      'resource: ownerId is undefined. Use null for an id that the resource does not have',
    ],
    [
      { capability: 'file:read', resource: { ownerId: 'x', organizationId: undefined } },
      'resource: organizationId is undefined. Use null for an id that the resource does not have',
    ],
    [
      { capability: 'file:read', resource: { owner_id: 'x' } },
      "resource: 'file:read' needs ownerId or organizationId, given an object with owner_id. Expected an object such as { ownerId: …, organizationId: … }. Use null for an id that the resource does not have",
    ],
    [
      { capability: 'file:share', resource: () => ({}) },
      "resource: 'file:share' needs organizationId, given an object with no properties. Expected an object such as { organizationId: … }. Use null for an id that the resource does not have",
    ],
    [
      { capability: 'file:read' },
      "'file:read' depends on the resource, so add resource: { ownerId: …, organizationId: … }",
    ],
    [
      { capability: 'file:tag', resource: Promise.resolve({}) },
      'resource: expected null or an object such as { ownerId: …, organizationId: … }, given a promise (await it)',
    ],
    [{ resource: { ownerId: 'x' } }, 'resource: expected only together with capability'],
    [{ fresh: undefined }, 'fresh: expected true or false, given undefined'],
    [{ fresh: 'true' }, 'fresh: expected true or false, given a string'],
    [{ method: undefined }, 'method: expected the method of the request, such as POST, given undefined'],
    [{ method: 'GET' }, 'method: expected only with headers, because the request already has a method'],
    [
      { roles: ['admin'] },
      'roles: unknown requirement. The requirements are role, capability, resource, fresh, impersonated, method',
    ],
    [
      Object.create({ roleName: 'admin' }),
      'roleName: unknown requirement. The requirements are role, capability, resource, fresh, impersonated, method',
    ],
    [
      undefined,
      'expected an object of requirements, given undefined. For any full session, omit the argument',
    ],
    [null, 'expected an object of requirements, given null. For any full session, omit the argument'],
    ['admin', 'expected an object of requirements, given a string. For any full session, omit the argument'],
    [
      ['admin'],
      'expected an object of requirements, given an array. For any full session, omit the argument',
    ],
  ])('%j causes a TypeError that names the mistake, even for a superadmin', async (requirement, message) => {
    expect(await messageOf(requirement)).toBe(message);
  });

  test('causes an error, even if the resource comes from a function', async () => {
    expect(await messageOf({ capability: 'file:tag', resource: () => ({ ownerId: undefined }) })).toBe(
      'resource: ownerId is undefined. Use null for an id that the resource does not have',
    );
  });

  test('causes a TypeError if the source is undefined', async () => {
    await expect(auth.requireAccess(undefined as never)).rejects.toThrow(
      'requireAccess: expected an IncomingMessage, a Request, Headers or an object of headers, not undefined',
    );
  });

  test('is a compile error', () => {
    expectTypeOf(auth.requireAccess)
      .parameter(1)
      .toEqualTypeOf<
        AccessRequirement<'file:read' | 'file:tag' | 'file:share' | 'file:audit' | 'file:shred'> | undefined
      >();
    // @ts-expect-error: unknown capability
    const unknown: Requirement = { capability: 'file:raed' };
    expect(unknown).toBeDefined();
    expectTypeOf<typeof auth>().toExtend<AuthService<string>>();
  });
});

describe('a mutation from another site', () => {
  const mutations = ['POST', 'PUT', 'PATCH', 'DELETE', 'post', 'PROPFIND'];

  test.each<[source: string, make: (method: string, headers: Headers) => SessionSource]>([
    ['an IncomingMessage', (method, headers) => incoming(method, headers)],
    ['a Request', (method, headers) => new Request('http://localhost:3000/', { method, headers })],
  ])('is refused for %s', async (_, make) => {
    const cookie = cookieHeader(user.browser);
    for (const method of mutations) {
      for (const headers of [
        { origin: foreign },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ] as Headers[])
        expect(await outcome(make(method, { ...cookie, ...headers }))).toBe('cross_origin_request');
      for (const headers of [{ origin }, {}, { origin, 'sec-fetch-site': 'same-origin' }] as Headers[])
        expect(await outcome(make(method, { ...cookie, ...headers }))).toBe(user.username);
    }
    for (const method of ['GET', 'HEAD'])
      expect(
        await outcome(make(method, { ...cookie, origin: foreign, 'sec-fetch-site': 'cross-site' })),
      ).toBe(user.username);
  });

  test('is refused for a WebSocket handshake', async () => {
    const upgrade = { upgrade: 'websocket', connection: 'Upgrade' };
    expect(await outcome(requestBy(user, 'GET', { ...upgrade, origin: foreign }))).toBe(
      'cross_origin_request',
    );
    expect(await outcome(requestBy(user, 'GET', { ...upgrade, origin }))).toBe(user.username);
  });

  test.each<[source: string, make: (headers: Headers) => SessionSource]>([
    ['Headers', (headers) => new Headers(headers)],
    ['an object of headers', (headers) => headers],
    ['an object with headers but without a method', (headers) => ({ headers: new Headers(headers) })],
  ])('is assumed for %s, unless the caller names a safe method', async (_, make) => {
    const cookie = cookieHeader(user.browser);
    for (const headers of [
      { origin: foreign },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', upgrade: 'websocket' },
    ] as Headers[]) {
      const source = () => make({ ...cookie, ...headers });
      expect(await outcome(source())).toBe('cross_origin_request');
      expect(await outcome(source(), { method: 'POST' })).toBe('cross_origin_request');
      if (!('upgrade' in headers)) expect(await outcome(source(), { method: 'get' })).toBe(user.username);
    }
    expect(await outcome(make({ ...cookie, origin }))).toBe(user.username);
    expect(await outcome(make(cookie))).toBe(user.username);
  });
});

test('a check without a requirement can use the cached session, and a check of authority reads the database', async () => {
  const request = requestBy(user);
  const read = async (requirement: Requirement) => {
    const before = auth.statistics().sessionChecks;
    await auth.requireAccess(request, requirement);
    const { fromCache, fromDatabase } = auth.statistics().sessionChecks;
    return fromCache + fromDatabase - before.fromCache - before.fromDatabase;
  };
  expect(await read({})).toBe(1);
  for (const requirement of [{ role: 'user' }, { fresh: true }, { capability: 'file:tag' }] as const)
    expect(await read(requirement)).toBe(0);
});

test('works with the in-memory database', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  try {
    const { browser, username } = await signUp(inMemory);
    const read = await inMemory.auth.requireAccess(requestBy({ browser }), { role: 'user', fresh: true });
    expect(read.user.username).toBe(username);
  } finally {
    await inMemory.close();
  }
});
