import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { accepted, acceptedReason, isCovered } from './accepted.ts';
import { past } from './past.ts';
import { riskyChains, riskyGroups } from './risky-pairs.ts';
import { mustStop } from './stops.ts';
import { explore } from './support/explore.ts';
import { replay, textOf } from './support/replay.ts';
import { type OpenStage, openStage } from './support/stage.ts';

let database: TestDatabase;
let stage: OpenStage;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url, { overlaps: true });
});
afterAll(async () => {
  await stage.close();
  await database.drop();
});

test.each(Object.entries(riskyGroups))(
  'all schedules of two operations that meet at %s have the outcome of a serial order',
  async (_, names) => {
    const failures: string[] = [];
    for (const [n, first] of names.entries()) {
      for (const second of names.slice(mustStop(first, first) ? n : n + 1)) {
        const { findings } = await explore(stage, stage.find(`${first} | ${second}`));
        failures.push(
          ...findings.filter((finding) => finding.accepted === null).map((finding) => textOf(finding)),
        );
      }
    }
    expect(failures).toEqual([]);
  },
);

test.each(riskyChains)('all schedules of "%s" have the outcome of a serial order', async (names) => {
  const { findings, schedules } = await explore(stage, stage.find(names));
  expect(findings.filter((finding) => finding.accepted === null).map((finding) => textOf(finding))).toEqual(
    [],
  );
  expect(schedules).toBeGreaterThan(1);
});

test.each(past)('$operations ($schedule): $fixed', async ({ operations, schedule }) => {
  const { deviation, text } = await replay(stage, operations, schedule);
  expect(deviation && acceptedReason({ ...deviation, operations, schedule }) === null, text).toBeFalsy();
});

test.each(accepted)('the accepted deviation "$reason" still exists', async (entry) => {
  const [operations, schedule] = entry.example;
  const { deviation, text } = await replay(stage, operations, schedule);
  expect(deviation && isCovered(entry, { ...deviation, operations, schedule }), text).toBe(true);
});

test('two changes that overlap have no order, even if a third operation changed rows before them', async () => {
  const operations = 'usr replaces the codes | usr uses a new code | usr changes password';
  const { deviation, text } = await replay(stage, operations, 'A A A C C B C&B');
  expect(deviation, text).toBeNull();
});
