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

/** `200`, say, or the code of the refusal; and what has changed where nothing should have. */
async function outcomeOf(row: Row, caller: CallerName, ids: Ids): Promise<string> {
  return world.service.rewinding(async () => {
    const send = await prepare(world, row, caller, ids);
    const before = await world.service.fingerprints();
    const answer = await send();
    const changed = differences(before, await world.service.fingerprints());
    const succeeded = answer.status < 300;
    // Whole: a refusal says nothing of what it is about, so that all of the same code are the same.
    if (!succeeded) expectProblem(answer, answer.body.code);
    const outcome = succeeded ? `${answer.status}` : answer.body.code;
    const mayChange = succeeded && !row.route.startsWith('GET ');
    return changed.length === 0 || mayChange ? outcome : `${outcome}, having changed ${changed}`;
  });
}

const routes = [...new Set(rows.map(({ route }) => route))];

test('the table has a line for every endpoint, and no line too many', () => {
  const all = createAuthRouter(world.service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('*'))
    .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`))
    .filter((route) => !route.startsWith('HEAD '));
  expect([...routes].sort()).toEqual(all.sort());
});

test('the table has each line once, and of every endpoint with an id what an unknown one gets', () => {
  const names = rows.map(({ route, target }) => `${route} ${target}`);
  expect(names).toEqual([...new Set(names)]);
  for (const route of routes.filter((name) => name.includes('/:'))) {
    expect(names).toContain(`${route} unknown`);
  }
});

test.each(routes)(
  '%s gives everybody what the table says, and changes nothing for whom it refuses',
  async (route) => {
    for (const row of rows.filter((one) => one.route === route)) {
      const outcomes: Partial<Row['expected']> = {};
      for (const caller of callers) {
        const met = new Set<string>();
        for (const ids of idsOf(row, world, caller)) met.add(await outcomeOf(row, caller, ids));
        outcomes[caller] = [...met].join(' or ');
      }
      expect(outcomes, row.target).toEqual(row.expected);
    }
  },
);

// What is there and somebody may change: whoever may not is refused for who they are.
const aboutSomething = rows.filter(
  ({ route, target, expected }) =>
    !route.startsWith('GET ') &&
    // Whether it is to be quiet stands in the body itself.
    !['foreign', 'mixed', 'self', 'absent', 'unknown', 'quiet'].includes(target) &&
    expected.nobody === 'not_authenticated',
);

test('whoever may not change something learns nothing of what is wrong with their body', async () => {
  for (const row of aboutSomething) {
    for (const caller of callers) {
      const refusal = row.expected[caller] as ErrorCode;
      if (!isAboutWhoAsks(refusal)) continue;
      const [ids = {}] = idsOf(row, world, caller);
      const answer = await world.service.rewinding(async () => {
        const send = await prepare(world, row, caller, ids);
        return send({ nonsense: true });
      });
      expect(answer.body.code, `${row.route} ${row.target} by ${caller}`).toBe(refusal);
    }
  }
});

const isAboutWhoAsks = (code: ErrorCode) =>
  ['not_authenticated', 'recovery_session', 'reauthentication_required', 'forbidden', 'not_found'].includes(
    code,
  );

describe('an id that is malformed', () => {
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
  const askedAbout = routes.filter((route) => route.includes('/:'));

  test.each(malformed)('that is %s answers a superadmin like one that nothing has', async (_, id) => {
    for (const route of askedAbout) {
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
  });
});
