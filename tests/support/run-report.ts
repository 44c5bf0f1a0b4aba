import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSuite } from 'vitest/node';

/**
 * Prints what the default summary leaves out: the tests that passed only in a retry and, after a failed run, one line for
 * each failure. These lines come last, because sometimes only the end of a log is kept.
 */
export default class RunReport implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly { message: string }[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    for (const test of tests.filter((test) => test.diagnostic()?.retryCount))
      print(`retried: ${titleOf(test)}`);
    if (reason !== 'failed') return;
    for (const test of tests.filter((test) => test.result().state === 'failed'))
      print(`failed: ${titleOf(test)}: ${firstLine(test.result().errors?.[0]?.message)}`);
    // Hooks, and files that cannot be loaded.
    for (const group of modules.flatMap((module) => [module, ...module.children.allSuites()]))
      for (const error of group.errors()) print(`failed: ${titleOf(group)}: ${firstLine(error.message)}`);
    for (const error of errors) print(`failed outside of a test: ${firstLine(error.message)}`);
    print(`To repeat the random values of this run, set SEED=${process.env.SEED}.`);
  }
}

function titleOf(part: TestModule | TestSuite | TestCase): string {
  if (part.type === 'module') return relative('', part.moduleId);
  return `${titleOf(part.module)} > ${part.fullName}`;
}

const firstLine = (message = 'no message') => message.split('\n', 1)[0];
const print = (line: string) => process.stderr.write(`${line}\n`);
