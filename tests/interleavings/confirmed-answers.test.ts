import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import type { Operation } from './support/operation.ts';
import { start } from './support/scheduler.ts';
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

/** Operations whose answer says nothing about an earlier change. */
const readOnly = ['usr gets a service token'];

test('every operation ends with a write or waits for a standby, even when it is repeated', async () => {
  const unconfirmed: string[] = [];
  for (const operation of stage.operations) {
    if (operation.cleans || readOnly.includes(operation.name)) continue;
    await stage.backend.begin();
    for (const attempt of ['first', 'second']) {
      const { status, isConfirmed } = await runToEnd(operation);
      if (!isConfirmed) unconfirmed.push(`${operation.name}, the ${attempt} time: ${status}`);
    }
    await stage.backend.restore();
  }
  expect(unconfirmed).toEqual([]);
});

async function runToEnd(operation: Operation): Promise<{ status: string; isConfirmed: boolean }> {
  const run = await start(() => operation.run());
  let written = 0;
  while (run.next) {
    const { effects } = await stage.backend.step(run);
    written = effects.size;
  }
  return { status: `${run.answer?.status}`, isConfirmed: run.isConfirmed || written > 0 };
}
