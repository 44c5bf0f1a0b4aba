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

/** The status or the refusal's code, with the tables that changed if none should have. */
async function outcomeOf(row: Row, caller: CallerName, ids: Ids): Promise<string> {
  return world.service.rewinding(async () => {
    const send = await prepare(world, row, caller, ids);
    const before = await world.service.fingerprints();
    const answer = await send();
    const changed = differences(before, await world.service.fingerprints());
    const succeeded = answer.status < 300;
    // Checks the whole body: refusals with the same code must be identical.
    if (!succeeded) expectProblem(answer, answer.body.code);
    const outcome = succeeded ? `${answer.status}` : answer.body.code;
    const mayChange = succeeded && !row.route.startsWith('GET ');
    return changed.length === 0 || mayChange ? outcome : `${outcome}, having changed ${changed}`;
  });
}

const routes = [...new Set(rows.map(({ route }) => route))];

test('the table has every endpoint, and no other', () => {
  const all = createAuthRouter(world.service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('*'))
    .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`))
    .filter((route) => !route.startsWith('HEAD '));
  expect([...routes].sort()).toEqual(all.sort());
});

test('the table has each line once, and a line with an unknown id for every endpoint that takes one', () => {
  const names = rows.map(({ route, target }) => `${route} ${target}`);
  expect(names).toEqual([...new Set(names)]);
  for (const route of routes.filter((name) => name.includes('/:'))) {
    expect(names).toContain(`${route} unknown`);
  }
});

test.each(routes)(
  '%s gives every caller the result in the table, and changes nothing when it refuses',
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

// Changes to something that exists. A caller without access gets the refusal before the body is validated.
const changesToExisting = rows.filter(
  ({ route, target, expected }) =>
    !route.startsWith('GET ') &&
    // The body itself says whether the passkey is created without a prompt.
    !['foreign', 'mixed', 'self', 'absent', 'unknown', 'quiet'].includes(target) &&
    expected.anonymous === 'not_authenticated',
);

test('callers without access learn nothing about errors in their body', async () => {
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
  ['not_authenticated', 'recovery_session', 'reauthentication_required', 'forbidden', 'not_found'].includes(
    code,
  );

describe('a malformed id', () => {
  const inside = () => world.insider.signedUp.body.user.id as string;
  const malformed: [name: string, id: () => string][] = [
    ['a number', () => '1'],
    ['a word', () => 'null'],
    ['an id in capitals', () => inside().toUpperCase()],
    ['an id without hyphens', () => inside().replaceAll('-', '')],
    ['an id in braces', () => `%7B${inside()}%7D`],
    ['an id with a space before it', () => `%20${inside()}`],
    ['an id with a line feed after it', () => `${inside()}%0A`],
    ['an id with NUL after it', () => `${inside()}%00`],
    ['two ids', () => `${inside()},${inside()}`],
    ['SQL', () => `${inside()}'%20or%20true--`],
    ['a path', () => `..%2F${inside()}`],
    ['half an escape', () => '%C3'],
    ['ten thousand characters', () => 'a'.repeat(10_000)],
  ];
  const routesWithId = routes.filter((route) => route.includes('/:'));

  test.each(malformed)(
    'that is %s gets the same answer as an unknown id, for a superadmin',
    async (_, id) => {
      for (const route of routesWithId) {
        for (const [, name = ''] of route.matchAll(/:(\w+)/g)) {
          const invitationId = world.offers.here.id;
          const ids = { id: world.here.id, userId: inside(), invitationId, [name]: id() };
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
