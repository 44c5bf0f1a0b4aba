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

/** Members that would be worth something if a body could set them. */
const coveted: Record<string, () => unknown> = {
  role: () => 'superadmin',
  userId: () => userIdOf(world.ruler),
  organizationId: () => world.there.id,
  version: () => 0,
  id: () => userIdOf(world.ruler),
  status: () => 'active',
  createdBy: () => userIdOf(world.ruler),
  passwordHash: () => '$2b$04$......................................................',
};

/** Bodies that are about a role: each takes these, and no other. */
const aboutRoles: Record<string, string[]> = {
  'POST /auth/admin/invitations': ['admin'],
  'PUT /auth/admin/users/:id/role': ['user', 'admin', 'superadmin'],
  'POST /auth/organizations/:id/members': ['user', 'admin'],
  'POST /auth/organizations/:id/invitations': ['user', 'admin'],
  'PATCH /auth/organizations/:id/members/:userId': ['user', 'admin'],
};
const isAboutRole = ({ route }: Row) => route in aboutRoles;

/** One line of the table for each endpoint that takes a body, and for each of its forms: one that somebody may. */
const endpoints = rows.filter(
  (row, index) =>
    !row.route.startsWith('GET ') &&
    callerWhoMay(row) !== undefined &&
    (/start|finish/.test(row.target) || rows.findIndex(({ route }) => route === row.route) === index),
);

/** The last of those who may, by the table: the superadmin, but for what they have no need of. */
function callerWhoMay({ expected }: Row) {
  return callers.filter((caller) => /^2/.test(expected[caller])).at(-1);
}

/** Sends what is in order but for further members; gives the answer, and which tables have changed. */
async function sendWith(row: Row, further: object) {
  const caller = callerWhoMay(row) ?? 'nobody';
  const ids = idsOf(row, world, caller)[0] ?? {};
  return world.service.rewinding(async () => {
    const send = await prepare(world, row, caller, ids);
    const before = await world.service.fingerprints();
    const answer = await send(further);
    return { answer, changed: differences(before, await world.service.fingerprints()) };
  });
}

test('every endpoint that changes something is looked at', () => {
  const mutations = new Set(rows.map(({ route }) => route).filter((route) => !route.startsWith('GET ')));
  expect(new Set(endpoints.map(({ route }) => route))).toEqual(mutations);
});

describe.each(endpoints.map((row) => [`${row.route} ${row.target}`.trim(), row] as const))('%s', (_, row) => {
  test('takes what is in order', async () => {
    const { answer } = await sendWith(row, {});
    expect(answer.status).toBeLessThan(300);
  });

  test('refuses what it does not ask for, and changes nothing', async () => {
    for (const [member, value] of Object.entries(coveted)) {
      if (member === 'role' && isAboutRole(row)) continue;
      const { answer, changed } = await sendWith(row, { [member]: value() });
      expectProblem(answer, 'invalid_request', {
        errors: [{ path: member, message: 'this member is not known' }],
      });
      expect(changed).toEqual([]);
    }
  });
});

describe.each(endpoints.filter(isAboutRole).map((row) => [row.route, row] as const))('%s', (route, row) => {
  const roles = ['user', 'admin', 'superadmin'];

  test('takes the roles that it is about', async () => {
    for (const role of aboutRoles[route] ?? []) {
      expect((await sendWith(row, { role })).answer.status).toBeLessThan(300);
    }
  });

  test.each([
    ...roles.filter((role) => !aboutRoles[route]?.includes(role)),
    ...['owner', 'SUPERADMIN', 'admin ', '', null, 2, true, ['admin'], { role: 'admin' }],
  ])('refuses %j for a role, and changes nothing', async (role) => {
    const { answer, changed } = await sendWith(row, { role });
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path: 'role' }] });
    expect(changed).toEqual([]);
  });
});

describe('what WebAuthn asks to ignore', () => {
  test('gives nobody more than they would have had', async () => {
    await world.service.rewinding(async () => {
      const browser = world.service.browser();
      const username = newUsername();
      const credential = await newAuthenticator().create(await signUpStart(browser, username));
      const sly = Object.fromEntries(
        Object.entries(coveted)
          .filter(([name]) => name !== 'id')
          .map(([name, value]) => [name, value()]),
      );
      const response = { ...sly, ...credential.response };
      const answer = await browser.post('/auth/passkey/register/verify?role=superadmin', {
        credential: { ...sly, ...credential, response, clientExtensionResults: sly },
      });
      expect(answer.status).toBe(201);
      expect(answer.body.user).toMatchObject({ username, role: 'user', status: 'active' });
      const { body } = await browser.get('/auth/session');
      expect(body.user).toMatchObject({ username, role: 'user', hasPassword: false, passkeyCount: 1 });
      expect((await browser.get('/auth/organizations')).body.organizations).toEqual([]);
    });
  });
});
