import { relative } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** Prints what the default summary leaves out: the tests that passed only in a retry, and the seed of a failed run. */
export default class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    for (const test of tests.filter((test) => test.diagnostic()?.retryCount))
      print(`retried: ${relative('', test.module.moduleId)} > ${test.fullName}`);
    if (reason === 'failed') print(`To repeat the random values of this run, set SEED=${process.env.SEED}.`);
  }
}

const print = (line: string) => process.stderr.write(`${line}\n`);
