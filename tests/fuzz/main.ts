import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { readCorpus, textOf, writeCorpus } from './support/corpus.ts';
import {
  type Assignment,
  currentInput,
  type Finding,
  type Message,
  newCurrentInput,
  type Outcome,
} from './support/messages.ts';
import { addRun, type Reached, type Run } from './support/results.ts';
import { targetNamed, targets } from './targets.ts';

/** An input that runs for longer is a hang. Generous, because other programs can need the processor. */
const hangSeconds = 20;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    target: { type: 'string' },
    seed: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) fail(`--minutes: expected a number above 0, not ${values.minutes}`);
if (values.target !== undefined && !targets.some(({ name }) => name === values.target))
  fail(`--target: expected one of ${targets.map(({ name }) => name).join(', ')}, not ${values.target}`);

// Read before the run, because the run can take hours.
const version = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const chosen = values.target === undefined ? targets : [targetNamed(values.target)];
let findingCount = 0;
for (const { name } of chosen) {
  const { run, reached } = await fuzz(name, Number(values.seed ?? Date.now() % 2 ** 31));
  findingCount += run.findings;
  addRun(name, run, reached);
}
process.exitCode = findingCount > 0 ? 1 : 0;

async function fuzz(target: string, seed: number): Promise<{ run: Run; reached: Reached }> {
  const at = new Date().toISOString();
  const corpus = readCorpus(target);
  const findings: Finding[] = [];
  const current = newCurrentInput();
  const assignment: Assignment = { target, seconds: minutes * 60, seed, corpus, current };
  const worker = new Worker(new URL('./support/fuzz-program.js', import.meta.url), {
    workerData: assignment,
  });
  let outcome: Outcome | null = null;
  worker.on('message', (message: Message) => {
    if ('finding' in message) findings.push(message.finding);
    else outcome = message.outcome;
  });
  const input = currentInput(current);
  const stopWatching = watch(input.count, () => {
    findings.push({ input: input.read(), problem: `hang: more than ${hangSeconds} s` });
    void worker.terminate();
  });
  worker.on('error', (error) => findings.push({ input: input.read(), problem: `crash: ${error.stack}` }));
  await new Promise((exited) => worker.once('exit', exited));
  stopWatching();

  const kept = (outcome as Outcome | null)?.corpus ?? corpus;
  // Findings stay in the corpus, so that `npm test` fails until they are fixed, and then guards the fix.
  writeCorpus(target, [...kept, ...findings.map((finding) => finding.input)]);
  for (const { input, problem } of findings)
    process.stderr.write(`\n${target}: ${problem}\ninput: ${textOf(input)}\n`);
  const { executions, seconds, coverage } = (outcome as Outcome | null) ?? {
    executions: input.count(),
    seconds: minutes * 60,
    coverage: { functions: 0, characters: 0 },
  };
  const run = {
    at,
    version,
    seed,
    executions,
    seconds: Math.round(seconds),
    findings: findings.length,
  };
  process.stdout.write(
    `${target}: ${executions} inputs in ${run.seconds} s, ${coverage.functions} functions, ` +
      `${coverage.characters} characters, corpus ${kept.length}, findings ${findings.length}, seed ${seed}\n`,
  );
  return { run, reached: { coverage, inputs: kept.length } };
}

/** Calls `onHang` if the count does not change for `hangSeconds`. Returns a function that stops watching. */
function watch(count: () => number, onHang: () => void): () => void {
  let last = -1;
  let seconds = 0;
  const timer = setInterval(() => {
    const now = count();
    // Before the first input, the worker loads the code.
    seconds = now === last && now > 0 ? seconds + 1 : 0;
    last = now;
    if (seconds === hangSeconds) onHang();
  }, 1000);
  return () => clearInterval(timer);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
