import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { newAuthenticator, newUsername, signUpStart, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { idsOf, prepare } from './support/authorization-requests.ts';
import { differences } from './support/authorization-rewind.ts';
import { callers, type Row, rows } from './support/authorization-table.ts';
import { createWorld, type World } from './support/authorization-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
afterEach(() => expectNoLoggedErrors(world.service));

/** Properties that an attacker would like to set. */
const attackerProperties: Record<string, () => unknown> = {
  role: () => 'superadmin',
  userId: () => userIdOf(world.otherSuperadmin),
  organizationId: () => world.there.id,
  version: () => 0,
  id: () => userIdOf(world.otherSuperadmin),
  status: () => 'active',
  createdBy: () => userIdOf(world.otherSuperadmin),
  passwordHash: () => '$2b$04$......................................................',
};

/** The endpoints whose body has a role, and the roles that each endpoint accepts. */
const rolesByRoute: Record<string, string[]> = {
  'POST /auth/admin/invitations': ['admin'],
  'PUT /auth/admin/users/:id/role': ['user', 'admin', 'superadmin'],
  'POST /auth/organizations/:id/members': ['user', 'admin'],
  'POST /auth/organizations/:id/invitations': ['user', 'admin'],
  'PATCH /auth/organizations/:id/members/:userId': ['user', 'admin'],
};
const hasRole = ({ route }: Row) => route in rolesByRoute;

/**
 * Rows of the table for all endpoints that change something. Each endpoint has its first row. An endpoint that starts
 * and finishes a ceremony has one row for the start and one row for the finish.
 */
const endpoints = rows.filter(
  (row, index) =>
    !row.route.startsWith('GET ') &&
    acceptedCaller(row) !== undefined &&
    (/start|finish/.test(row.target) || rows.findIndex(({ route }) => route === row.route) === index),
);

/** The last caller in the table that the endpoint accepts. Usually, this is the superadmin. */
function acceptedCaller({ expected }: Row) {
  return callers.filter((caller) => /^2/.test(expected[caller])).at(-1);
}

/** Sends a valid body with additional properties. Returns the response and the tables that changed. */
async function sendWith(row: Row, extra: object) {
  const caller = acceptedCaller(row) ?? 'anonymous';
  const ids = idsOf(row, world, caller)[0] ?? {};
  return world.service.rewinding(async () => {
    const send = await prepare(world, row, caller, ids);
    const before = await world.service.fingerprints();
    const answer = await send(extra);
    return { answer, changed: differences(before, await world.service.fingerprints()) };
  });
}

test('every endpoint that changes something is covered', () => {
  const mutations = new Set(rows.map(({ route }) => route).filter((route) => !route.startsWith('GET ')));
  expect(new Set(endpoints.map(({ route }) => route))).toEqual(mutations);
});

describe.each(endpoints.map((row) => [`${row.route} ${row.target}`.trim(), row] as const))('%s', (_, row) => {
  test('accepts a valid body', async () => {
    const { answer } = await sendWith(row, {});
    expect(answer.status).toBeLessThan(300);
  });

  test('rejects every other property, and changes nothing', async () => {
    for (const [property, value] of Object.entries(attackerProperties)) {
      if (property === 'role' && hasRole(row)) continue;
      const { answer, changed } = await sendWith(row, { [property]: value() });
      expectProblem(answer, 'invalid_request', {
        errors: [{ path: property, message: 'this property is unknown' }],
      });
      expect(changed).toEqual([]);
    }
  });
});

describe.each(endpoints.filter(hasRole).map((row) => [row.route, row] as const))('%s', (route, row) => {
  const roles = ['user', 'admin', 'superadmin'];

  test('accepts every role that it allows', async () => {
    for (const role of rolesByRoute[route] ?? []) {
      expect((await sendWith(row, { role })).answer.status).toBeLessThan(300);
    }
  });

  test.each([
    ...roles.filter((role) => !rolesByRoute[route]?.includes(role)),
    ...['owner', 'SUPERADMIN', 'admin ', '', null, 2, true, ['admin'], { role: 'admin' }],
  ])('rejects the role %j, and changes nothing', async (role) => {
    const { answer, changed } = await sendWith(row, { role });
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path: 'role' }] });
    expect(changed).toEqual([]);
  });
});

describe('unknown properties in a credential', () => {
  test('have no effect on a sign-up (WebAuthn requires services to ignore them)', async () => {
    await world.service.rewinding(async () => {
      const browser = world.service.browser();
      const username = newUsername();
      const credential = await newAuthenticator().create(await signUpStart(browser, username));
      const extra = Object.fromEntries(
        Object.entries(attackerProperties)
          .filter(([name]) => name !== 'id')
          .map(([name, value]) => [name, value()]),
      );
      const response = { ...extra, ...credential.response };
      const answer = await browser.post('/auth/passkey/register/verify?role=superadmin', {
        credential: { ...extra, ...credential, response, clientExtensionResults: extra },
      });
      expect(answer.status).toBe(201);
      expect(answer.body.user).toMatchObject({ username, role: 'user', status: 'active' });
      const { body } = await browser.get('/auth/session');
      expect(body.user).toMatchObject({ username, role: 'user', hasPassword: false, passkeyCount: 1 });
      expect((await browser.get('/auth/organizations')).body.organizations).toEqual([]);
    });
  });
});
