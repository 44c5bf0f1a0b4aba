import { parentPort, workerData } from 'node:worker_threads';
import type { FuzzTarget } from '../fuzz-target.ts';
import { type CodeCoverage, measureCoverage, Reached } from './code-coverage.ts';
import { type Assignment, currentInput, type Message } from './messages.ts';
import { mutate } from './mutate.ts';
import { randomNumbers } from './random-numbers.ts';

/** Reading the coverage takes milliseconds, so it is read once for a batch. */
const batchSize = 128;
/** An input that needs more processor time in three runs is a finding. */
const slowMilliseconds = 250;
const mostFindings = 20;

const assignment: Assignment = workerData;
const post = (message: Message) => parentPort?.postMessage(message);
const current = currentInput(assignment.current);
const known = new Set<string>();
let executions = 0;

// The worker's own script contains Latchkey. These packages read untrusted bytes for Latchkey.
const coverage = await measureCoverage(
  /\/latchkey-fuzz\/|\/node_modules\/(?:@simplewebauthn\/server|@levischuck\/tiny-cbor)\//,
);
const { targetNamed } = await import('../targets.ts');
const target = targetNamed(assignment.target);
await fuzz(target, coverage);

async function fuzz(target: FuzzTarget, coverage: CodeCoverage): Promise<void> {
  const random = randomNumbers(assignment.seed);
  const dictionary = target.dictionary.map((one) => (typeof one === 'string' ? Buffer.from(one) : one));
  const reached = new Reached();
  const corpus: Uint8Array[] = [];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;

  /** Runs the inputs, and keeps those that reach new code. Halves a batch until it has one input. */
  async function explore(inputs: readonly Uint8Array[]): Promise<void> {
    for (const input of inputs) await execute(target, input);
    const taken = await coverage.take();
    if (!reached.misses(taken)) return;
    const [only, second] = inputs;
    if (only && second) {
      const half = Math.ceil(inputs.length / 2);
      await explore(inputs.slice(0, half));
      await explore(inputs.slice(half));
    } else if (only) corpus.push(only);
    // Also for code that ran only the first time, such as the filling of a cache.
    reached.add(taken);
  }

  await coverage.take();
  for (const input of [...target.seeds(), ...assignment.corpus]) await explore([input]);
  while (elapsed() < assignment.seconds && known.size < mostFindings) {
    const sources = { random, corpus, dictionary };
    const batch = Array.from({ length: batchSize }, () =>
      mutate(corpus[random.below(corpus.length)] ?? new Uint8Array(), sources, target.maxBytes),
    );
    await explore(batch);
  }
  const seconds = elapsed();
  const done = executions;
  post({
    outcome: {
      executions: done,
      seconds,
      coverage: reached.size,
      corpus: await smallest(target, corpus, coverage),
    },
  });
  coverage.stop();
}

/** Returns the inputs that together reach the same code: small inputs first, without the seeds. */
async function smallest(target: FuzzTarget, corpus: readonly Uint8Array[], coverage: CodeCoverage) {
  const reached = new Reached();
  const kept: Uint8Array[] = [];
  for (const input of target.seeds()) {
    await target.run(input);
    reached.add(await coverage.take());
  }
  for (const input of corpus.toSorted((a, b) => a.length - b.length)) {
    await execute(target, input);
    if (reached.add(await coverage.take())) kept.push(input);
  }
  return kept;
}

async function execute(target: FuzzTarget, input: Uint8Array): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    current.set(input);
    executions += 1;
    const began = performance.now();
    const before = process.cpuUsage();
    try {
      await target.run(input);
    } catch (error) {
      report(input, describe(error));
    }
    if (performance.now() - began < slowMilliseconds) return;
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < slowMilliseconds) return;
  }
  report(input, `slow: more than ${slowMilliseconds} ms`);
}

function report(input: Uint8Array, problem: string): void {
  // Two findings at the same line are the same finding.
  const place = problem.replace(/[^\n]*\n/, '').split('\n')[0] || problem;
  if (known.has(place)) return;
  known.add(place);
  post({ finding: { input, problem } });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error}`) : `${error}`;
}
