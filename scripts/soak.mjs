// `npm run soak` shows whether the tests are deterministic. It runs all tests several times in a row:
//   npm run soak -- --runs=5             five runs
//   npm run soak -- --runs=5 --busy=2    five runs while two busy loops run on each core
// It continues after a failed run, and prints the duration, the CPU time and the failed tests of each run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, busy: { type: 'string', default: '0' } },
  allowPositionals: true,
});
const runs = countOf('runs', values.runs, 1);
const busyLoops = countOf('busy', values.busy, 0) * availableParallelism();

installIfNeeded();
buildIfStale();
const folder = mkdtempSync(join(tmpdir(), 'latchkey-soak-'));
const loops = Array.from({ length: busyLoops }, () => spawn(process.execPath, ['-e', 'for (;;);']));
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const results = [];
for (let run = 1; run <= runs; run += 1) {
  const result = await runTests(join(folder, `${run}.json`));
  results.push(result);
  console.log(`run ${run} of ${runs}: ${describe(result)}`);
}
const isClean = results.every(({ passed }) => passed);
console.log(isClean ? `All ${runs} runs passed.` : 'At least one run failed.');
process.exit(isClean ? 0 : 1);

async function runTests(report) {
  const began = process.hrtime.bigint();
  const cpuBefore = cpuSeconds();
  // The second reporter writes the retried tests and the seed of a failed run to stderr.
  const reporters = ['--reporter=json', `--outputFile=${report}`, '--reporter=./tests/support/run-report.ts'];
  const tests = spawn('npx', ['--no-install', 'vitest', 'run', ...reporters, ...positionals], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = await once(tests, 'close');
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const cpu = cpuBefore === null ? null : cpuSeconds() - cpuBefore;
  return { passed: code === 0, seconds, cpu, ...outcomesIn(report) };
}

function outcomesIn(report) {
  if (!existsSync(report)) return { count: 0, failures: ['vitest wrote no report'] };
  const { testResults, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${name}: ${message}`];
    return failed.map(({ fullName, failureMessages }) => `${name} > ${fullName}\n    ${failureMessages[0]}`);
  });
  return { count: numPassedTests, failures };
}

function describe({ count, seconds, cpu, failures }) {
  const cpuTime = cpu === null ? '' : `, ${cpu.toFixed(0)} s of CPU`;
  const failed = failures.map((failure) => `\n  failed: ${failure}`).join('');
  return `${count} tests passed, ${failures.length} failed, ${seconds.toFixed(0)} s${cpuTime}${failed}`;
}

/**
 * The CPU time of this machine or container, without the busy loops. Databases and browsers are not children of the
 * tests, so the CPU time of the children would leave them out. Null if the system has no control groups.
 */
function cpuSeconds() {
  const loopSeconds = loops.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  if (existsSync('/sys/fs/cgroup/cpuacct/cpuacct.usage'))
    return Number(readFileSync('/sys/fs/cgroup/cpuacct/cpuacct.usage', 'utf8')) / 1e9 - loopSeconds;
  if (!existsSync('/sys/fs/cgroup/cpu.stat')) return null;
  const [, microseconds] = /^usage_usec (\d+)/m.exec(readFileSync('/sys/fs/cgroup/cpu.stat', 'utf8')) ?? [];
  return microseconds === undefined ? null : Number(microseconds) / 1e6 - loopSeconds;
}

/** The user and system time of a process: the fields 14 and 15 of its `stat` file, in hundredths of a second. */
function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function countOf(name, text, least) {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least) return count;
  console.error(`--${name} must be a whole number, at least ${least}. It is "${text}".`);
  process.exit(2);
}
