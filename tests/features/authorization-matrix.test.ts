import { createAuthRouter, type ErrorCode } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { expectProblem } from '../support/problem.ts';
import { type Ids, idsOf, prepare } from './support/authorization-requests.ts';
import { differences } from './support/authorization-rewind.ts';
import { type CallerName, callers, type Row, rows } from './support/authorization-table.ts';
import { createWorld, type World } from './support/authorization-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
afterEach(() => expectNoLoggedErrors(world.service));

/** Returns the status of a success or the code of an error. Also names tables that changed but must not change. */
async function outcomeOf(row: Row, caller: CallerName, ids: Ids): Promise<string> {
  return world.service.rewinding(async () => {
    const send = await prepare(world, row, caller, ids);
    const before = await world.service.fingerprints();
    const answer = await send();
    const succeeded = answer.status < 300;
    // Checks the whole body, because all errors with the same code must be identical.
    if (!succeeded) expectProblem(answer, answer.body.code);
    const outcome = succeeded ? `${answer.status}` : answer.body.code;
    if (succeeded && !row.route.startsWith('GET ')) return outcome;
    const changed = differences(before, await world.service.fingerprints());
    return changed.length === 0 ? outcome : `${outcome}, having changed ${changed}`;
  });
}

const routes = [...new Set(rows.map(({ route }) => route))];

test('the table has exactly the endpoints of the router', () => {
  const all = createAuthRouter(world.service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('{'))
    .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`))
    .filter((route) => !route.startsWith('HEAD '));
  expect([...routes].sort()).toEqual(all.sort());
});

test('the table has no duplicate lines, and every path with an id has a line for an unknown id', () => {
  const names = rows.map(({ route, target }) => `${route} ${target}`);
  expect(names).toEqual([...new Set(names)]);
  for (const route of routes.filter((name) => name.includes('/:'))) {
    expect(names).toContain(`${route} unknown`);
  }
});

test.each(routes)(
  '%s gives every caller the result from the table, and rejected requests change nothing',
  async (route) => {
    for (const row of rows.filter((one) => one.route === route)) {
      const outcomes: Partial<Row['expected']> = {};
      for (const caller of callers) {
        const seen = new Set<string>();
        for (const ids of idsOf(row, world, caller)) seen.add(await outcomeOf(row, caller, ids));
        outcomes[caller] = [...seen].join(' or ');
      }
      expect(outcomes, row.target).toEqual(row.expected);
    }
  },
);

// Requests that change an existing target. The service rejects callers without access before it validates the body.
// A step-up with the password is excluded, because the service validates its body before it reads whether
// the user has a passkey.
const changesToExisting = rows.filter(
  ({ route, target, expected }) =>
    !route.startsWith('GET ') &&
    route !== 'POST /auth/password/stepup' &&
    // `quiet` is excluded because its access rule depends on the body. This body asks for a passkey without a prompt.
    !['foreign', 'mixed', 'self', 'absent', 'unknown', 'quiet'].includes(target) &&
    expected.anonymous === 'not_authenticated',
);

test('callers without access get the same error for an invalid body as for a valid one', async () => {
  for (const row of changesToExisting) {
    for (const caller of callers) {
      const refusal = row.expected[caller] as ErrorCode;
      if (!isAboutCaller(refusal)) continue;
      const [ids = {}] = idsOf(row, world, caller);
      const answer = await world.service.rewinding(async () => {
        const send = await prepare(world, row, caller, ids);
        return send({ nonsense: true });
      });
      expect(answer.body.code, `${row.route} ${row.target} by ${caller}`).toBe(refusal);
    }
  }
});

const isAboutCaller = (code: ErrorCode) =>
  [
    'not_authenticated',
    'recovery_session',
    'passkey_required',
    'reauthentication_required',
    'forbidden',
    'not_found',
  ].includes(code);

describe('a malformed id', () => {
  const inside = () => world.insider.signedUp.body.user.id as string;
  const malformed: [name: string, id: () => string][] = [
    ['a number', () => '1'],
    ['a word', () => 'null'],
    ['an id in capitals', () => inside().toUpperCase()],
    ['an id without hyphens', () => inside().replaceAll('-', '')],
    ['an id in braces', () => `%7B${inside()}%7D`],
    ['an id after a space', () => `%20${inside()}`],
    ['an id before a line feed', () => `${inside()}%0A`],
    ['an id before NUL', () => `${inside()}%00`],
    ['a list of two ids', () => `${inside()},${inside()}`],
    ['SQL', () => `${inside()}'%20or%20true--`],
    ['a relative path', () => `..%2F${inside()}`],
    ['an incomplete UTF-8 escape', () => '%C3'],
    ['ten thousand characters', () => 'a'.repeat(10_000)],
  ];
  const routesWithId = routes.filter((route) => route.includes('/:'));

  test.each(malformed)(
    'that is %s causes the same error as an unknown id (tested with a superadmin)',
    async (_, id) => {
      for (const route of routesWithId) {
        for (const [, name = ''] of route.matchAll(/:(\w+)/g)) {
          const invitationId = world.offers.here.id;
          const sessionId: string = world.insider.signedUp.body.session.id;
          const ids = { id: world.here.id, userId: inside(), invitationId, sessionId, [name]: id() };
          await world.service.rewinding(async () => {
            const send = await prepare(world, { route, target: 'unknown' }, 'superadmin', ids);
            const code = route.includes('/auth/invitations/') ? 'invitation_not_found' : 'not_found';
            expectProblem(await send(), code);
          });
        }
      }
    },
  );
});

test('the details of a user contain sessions and sign-ins only for callers who can see all users', async () => {
  const detailsFor = async (caller: CallerName, target: string) => {
    const row = { route: 'GET /auth/admin/users/:id', target };
    const [ids = {}] = idsOf(row, world, caller);
    return (await (await prepare(world, row, caller, ids))()).body.details;
  };
  expect(await detailsFor('superadmin', 'inside+')).toMatchObject({
    sessions: [expect.anything()],
    lastSignIn: expect.anything(),
    passkeys: [expect.anything()],
  });
  expect(await detailsFor('admin', 'inside+')).toMatchObject({
    sessions: null,
    lastSignIn: null,
    passkeys: [{ lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null }],
  });
  for (const target of ['equal+', 'higher+', 'self+']) expect(await detailsFor('admin', target)).toBeNull();
});
