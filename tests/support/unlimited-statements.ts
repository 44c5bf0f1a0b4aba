import { beforeAll, beforeEach, expect, vi } from 'vitest';
import { statementLimit } from './statement-limit.ts';

/**
 * A setup file for Vitest. It removes the service's limit of four seconds for a statement, because statements can take
 * longer on an overloaded machine. The limit stays active in the files that test the limit, but not in their hooks
 * before the first test.
 */
vi.mock('../../src/db/statement-timeout.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/db/statement-timeout.ts')>();
  return {
    ...original,
    get statementTimeoutMs() {
      return statementLimit.enforced ? original.statementTimeoutMs : 2 ** 31 - 1;
    },
    withinTimeout: <T>(work: Promise<T>): Promise<T> =>
      statementLimit.enforced ? original.withinTimeout(work) : work,
  };
});

beforeAll(() => {
  statementLimit.enforced = false;
});
beforeEach(() => {
  statementLimit.enforced =
    /\/tests\/(db\/notifications|faults\/(availability|database-|listener|standby|synchronous-))/.test(
      `${expect.getState().testPath}`,
    );
});
