import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { exploreFaults } from './support/explore-faults.ts';
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

test('an operation that loses its connection at any write happens completely or not at all', async () => {
  const found: string[] = [];
  let tried = 0;
  for (const operation of stage.operations) {
    const { faults, findings } = await exploreFaults(stage, operation);
    tried += faults;
    for (const { kind, detail, schedule } of findings)
      found.push(`${operation.name} (${schedule}): ${kind}: ${detail}`);
  }
  expect(found).toEqual([]);
  expect(tried).toBeGreaterThan(stage.operations.length);
});
