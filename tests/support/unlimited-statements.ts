import { beforeAll, expect, vi } from 'vitest';
import { statementLimit } from './statement-limit.ts';

/**
 * A setup file. On a slow machine, a statement can take longer than the four seconds after which the service answers
 * 503. The limit stays in the files that test it.
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
  statementLimit.enforced = /\/tests\/(db\/notifications|faults\/(availability|database-|listener))/.test(
    `${expect.getState().testPath}`,
  );
});
