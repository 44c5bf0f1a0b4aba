import { afterAll, beforeAll, expect, test } from 'vitest';
import { removals } from '../../src/service/housekeeping.ts';
import { rows } from '../features/support/authorization-table.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { isAudited } from './invariants.ts';
import { stops } from './stops.ts';
import { cleaning } from './support/expired-rows.ts';
import { meet } from './support/meeting.ts';
import { oneAfterTheOther } from './support/schedules.ts';
import { type OpenStage, openStage } from './support/stage.ts';

let database: TestDatabase;
let stage: OpenStage;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url, { overlaps: false });
});
afterAll(async () => {
  await stage.close();
  await database.drop();
});

/** Endpoints that change no row, each with the reason why it is not a GET. */
const readingEndpoints: Record<string, string> = {
  'POST /auth/username/availability': 'keeps the username out of the URL',
  'POST /auth/passkey/register/start': 'a challenge is encrypted, not stored',
  'POST /auth/passkey/login/start': 'a challenge is encrypted, not stored',
  'POST /auth/passkey/stepup/start': 'a challenge is encrypted, not stored',
  'POST /auth/admin/invitations/preview': 'keeps the token out of the URL',
  'POST /auth/invitations/preview': 'keeps the token out of the URL',
  'POST /auth/admin/webhooks/:id/test': 'sends an event that no row contains, and waits for another server',
};

/** Calls of an operator without an operation. */
const readingCalls: Record<string, string> = {
  overview: 'reads',
  secretUses: 'reads',
  'invitations.list': 'reads',
  'users.list': 'reads',
  'users.get': 'reads',
  'users.byId': 'reads',
  'users.bySourceId': 'reads',
  'users.countUnderOtherRules': 'reads',
  'users.testAuthenticatorPolicy': 'reads',
  'users.export': 'only reads, and records an event about the read',
  'organizations.list': 'reads',
  'organizations.get': 'reads',
  'organizations.creatorOf': 'reads',
  'organizations.listMembers': 'reads',
  'organizations.listInvitations': 'reads',
  'organizations.listUnconfiguredRoles': 'reads',
  'webhooks.list': 'reads',
  'webhooks.test': 'sends an event that no row contains, and waits for another server',
  'audit.list': 'reads',
  'audit.export': 'reads',
  'audit.feed': 'reads',
  'audit.verify': 'reads',
  'audit.prove': 'reads',
  'audit.checkpoint': 'reads',
  'audit.backlog': 'reads',
  'audit.startNewLog':
    'changes only the log, which has tests of concurrent writers (audit-order-races.test.ts)',
};

const patternOf = (route: string) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
const targets = () => stage.operations.map(({ target }) => target);

test('every endpoint that changes something has an operation', () => {
  const routes = [...new Set(rows.map(({ route }) => route))].filter((route) => !route.startsWith('GET '));
  expect(routes.length).toBeGreaterThan(60);
  const missing = routes.filter((route) => !targets().some((target) => patternOf(route).test(target)));
  expect(missing.sort()).toEqual(Object.keys(readingEndpoints).sort());
});

test('every call of an operator that changes something has an operation', () => {
  const calls = Object.entries(stage.world.auth.asOperator('ops')).flatMap(([group, actions]) =>
    typeof actions === 'function' ? [group] : Object.keys(actions).map((action) => `${group}.${action}`),
  );
  const missing = calls.filter((call) => !targets().includes(call));
  expect(missing.sort()).toEqual(Object.keys(readingCalls).sort());
});

test('every job of housekeeping has an operation, and changes exactly the rows that have expired', async () => {
  expect(Object.keys(cleaning)).toEqual(Object.keys(removals));
  for (const [job, expected] of Object.entries(cleaning)) {
    const meeting = await meet(stage, stage.find(`housekeeping ${job}`), oneAfterTheOther('A'));
    const changed = (meeting?.trace ?? []).flatMap(({ effects }) => [...effects]);
    expect(Object.fromEntries(changed.filter(([name]) => name in expected || isAudited(name)))).toEqual(
      expected,
    );
  }
});

test('operations have different names', () => {
  const names = [...stage.operations, ...stage.chains.flat()].map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

/** Operations that succeed only after another operation. */
const refused: Record<string, string> = {
  'usr steps up by password': '403 passkey_required',
  'sue as usr updates the profile': '403 impersonating',
  'ops bootstraps': 'already_bootstrapped',
  'ops bootstraps again': 'already_bootstrapped',
  'ops bootstraps another': 'already_bootstrapped',
  'ops bootstraps by link': 'already_bootstrapped',
  'ops creates old': 'username_taken',
};

test('every operation has the same outcome when it runs again on its own, and only those in `refused` fail', async () => {
  const outcomes: Record<string, string> = {};
  for (const operation of stage.operations) {
    const [first, second] = [await runAlone(operation), await runAlone(operation)];
    expect(second, operation.name).toEqual(first);
    if (!/^(2..|ok)$/.test(first?.status ?? '')) outcomes[operation.name] = first?.status ?? '';
  }
  expect(outcomes).toEqual(refused);
  expect(stage.world.service.errors).toEqual([]);
});

test('the second operation of a chain succeeds with the token of the first one', async () => {
  for (const chain of stage.chains) {
    const meeting = await meet(stage, chain, oneAfterTheOther('AB'));
    expect(meeting?.answers.map((answer) => answer?.status)).toEqual([
      expect.stringMatching(/^2..$/),
      expect.stringMatching(/^2..$/),
    ]);
  }
});

test('each rule about what an operation must stop names operations that exist', () => {
  const names = [...stage.operations, ...stage.chains.flat()].map(({ name }) => name);
  for (const [first, stopped] of stops) {
    expect(
      names.filter((name) => first.test(name)),
      `${first}`,
    ).not.toEqual([]);
    expect(
      names.filter((name) => stopped.test(name)),
      `${stopped}`,
    ).not.toEqual([]);
  }
});

async function runAlone(operation: OpenStage['operations'][number]) {
  const meeting = await meet(stage, [operation], oneAfterTheOther('A'));
  const [answer] = meeting?.answers ?? [];
  return (
    answer && { status: answer.status, body: stage.initial.mask(answer.body), changes: meeting?.changes }
  );
}
