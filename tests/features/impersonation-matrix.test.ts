import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { expectProblem } from '../support/problem.ts';
import { idsOf, prepare } from './support/authorization-requests.ts';
import { differences } from './support/authorization-rewind.ts';
import { type CallerName, type Row, rows } from './support/authorization-table.ts';
import { createWorld, type World } from './support/authorization-world.ts';
import { operatorAs } from './support/impersonation.ts';

/** The callers whose accounts an operator uses. */
const impersonated = ['user', 'member', 'orgAdmin', 'admin', 'elsewhere'] as const satisfies CallerName[];

/** The world in which an operator sends the requests of these callers. */
let world: World;
beforeAll(async () => {
  const own = await createWorld();
  const askers = { ...own.askers };
  for (const caller of impersonated) {
    const { person } = own.askers[caller];
    askers[caller] = { person, cookies: (await operatorAs(own.service, person)).cookies };
  }
  world = { ...own, askers };
});
afterAll(() => world.close());
afterEach(() => expectNoLoggedErrors(world.service));

/** The only POST route for impersonators. It issues a service token that names the impersonator. */
const allowedChanges = ['POST /auth/session/token'];

/** Reads that need fresh authentication. */
const freshReads = ['GET /auth/admin/users', 'GET /auth/admin/users/:id', 'GET /auth/admin/audit/export'];

/** Reads that need the rights of an admin or of an organization admin. */
const privilegedReads = [
  'GET /auth/admin/invitations',
  'GET /auth/admin/user-invitations',
  'GET /auth/admin/audit',
  'GET /auth/organizations/:id/invitations',
];

/** The result for an impersonator. `expected` is the result for the user. */
function resultFor({ route, expected }: Row, caller: CallerName): string {
  const own = expected[caller];
  const needsSession = expected.anonymous === 'not_authenticated';
  if (!needsSession || allowedChanges.includes(route)) return own;
  if (!route.startsWith('GET ') || freshReads.includes(route)) return 'impersonating';
  return privilegedReads.includes(route) && own === '200' ? 'impersonating' : own;
}

test.each([...new Set(rows.map(({ route }) => route))])(
  '%s gives an impersonator what the user can read, and refuses every change without changing anything',
  async (route) => {
    for (const row of rows.filter((one) => one.route === route)) {
      for (const caller of impersonated) {
        for (const ids of idsOf(row, world, caller)) {
          const outcome = await world.service.rewinding(async () => {
            const send = await prepare(world, row, caller, ids);
            const before = await world.service.fingerprints();
            const answer = await send();
            if (answer.status < 300) return `${answer.status}`;
            expectProblem(answer, answer.body.code);
            expect(differences(before, await world.service.fingerprints())).toEqual([]);
            return answer.body.code;
          });
          expect(outcome, `${route} ${row.target} by an impersonator of ${caller}`).toBe(
            resultFor(row, caller),
          );
        }
      }
    }
  },
);
