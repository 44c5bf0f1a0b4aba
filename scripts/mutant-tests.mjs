// Runs test files in the current folder. `scripts/mutants.mjs` starts this program, and sends the changed source file
// and the test files.
import { createVitest } from 'vitest/node';

/** What the reporter has seen in the current run. */
let seen = {};
const reporter = {
  onTestCaseResult(test) {
    if (test.result().state === 'failed')
      seen.failed ??= `${test.module.relativeModuleId} › ${test.fullName}`;
  },
  onTestModuleEnd(module) {
    const [error] = [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ];
    if (error) seen.broken ??= `${module.relativeModuleId}: ${error.message}`;
  },
};

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  // Each file gets its own process, because a process would keep the modules of the mutant before.
  isolate: true,
  maxWorkers: 1,
  reporters: [reporter],
});
await vitest.standalone();
let last = Promise.resolve();
process.on('message', (message) => {
  last = last.then(() => handle(message));
});
process.on('disconnect', async () => {
  await last;
  await vitest.close();
});

async function handle({ changed, files }) {
  if (changed) vitest.invalidateFile(changed);
  if (files) process.send(await runTests(files));
}

/** Runs the files in this order, until a test fails. @returns the first failed test, or what kept a file from running */
async function runTests(files) {
  seen = {};
  for (const file of files) {
    const { unhandledErrors } = await vitest.runTestSpecifications(await specificationsOf(file));
    const [error] = unhandledErrors;
    if (error && !seen.failed) seen.broken ??= error.message ?? `${error}`;
    if (seen.failed || seen.broken) return seen;
  }
  return seen;
}

async function specificationsOf(file) {
  const specifications = await vitest.globTestSpecifications([file]);
  return specifications.filter(({ moduleId }) => moduleId.endsWith(`/${file}`));
}
