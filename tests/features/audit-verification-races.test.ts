import type { AuditVerification } from 'latchkey';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { sequence } from '../support/sequencing.ts';
import type { TestService } from '../support/test-service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startFrozenService();
});
afterEach(() => service.close());

const operator = () => service.auth.asOperator('ops');
let users = 0;

/** Adds an event and signs the log. The database keeps a copy of the first checkpoint, and then one copy per hour. */
async function sign(): Promise<void> {
  users += 1;
  await operator().users.create({ username: `user${users}` });
  await sequence(service.database.sql);
}

const signLater = async () => {
  await service.turnClock({ minutes: 120 });
  await sign();
};

/** Verifies the log in another process, and makes a change before one of the statements. */
async function verifyDuring(
  change: () => Promise<unknown>,
  at: number,
): Promise<{ result: AuditVerification; changed: boolean }> {
  let statements = Number.NEGATIVE_INFINITY;
  const instance = await startSecondInstance(service, {}, async () => {
    statements += 1;
    if (statements === at) await change();
  });
  try {
    statements = 0;
    const result = await instance.auth.asOperator('ops').audit.verify();
    return { result, changed: statements >= at };
  } finally {
    await instance.close();
  }
}

describe('a verification finds no problem if, before any of its statements,', () => {
  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['the log gets its first entries', async () => {}, sign],
    ['the log gets more entries', sign, signLater],
    [
      'the log gets a new origin',
      sign,
      async () => {
        await operator().audit.startNewLog({ reason: 'restored a backup' });
        await signLater();
      },
    ],
  ])('%s', async (_, prepare, change) => {
    for (let at = 1; ; at += 1) {
      await prepare();
      const { result, changed } = await verifyDuring(change, at);
      expect([at, result.problems]).toStrictEqual([at, []]);
      if (!changed) break;
      await service.close();
      service = await startFrozenService();
    }
  });
});

test('a verification accepts a checkpoint that was signed while the given checkpoints are read', async () => {
  async function* notes() {
    await sign();
    yield `${(await operator().audit.checkpoint()).note}`;
  }
  expect(await operator().audit.verify({ witnessed: notes() })).toMatchObject({ witnessed: 1, problems: [] });
});
