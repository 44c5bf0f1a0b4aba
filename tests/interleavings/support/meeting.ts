import { mustStop } from '../stops.ts';
import type { Backend, Executed } from './backend.ts';
import { tableOf } from './effects.ts';
import { failing, faultOf } from './fault.ts';
import { isRead, labelOf } from './label.ts';
import type { Operation, OperationAnswer } from './operation.ts';
import { type Run, start } from './scheduler.ts';
import type { Choice, Step } from './schedules.ts';
import { changesSince, type InitialState } from './state.ts';

/** One statement of a schedule that has run. */
export interface TraceEntry extends Executed {
  /** The operation: `A`, `B`, … */
  letter: string;
  label: string;
  /** See `Operation.cleans`. */
  cleans: Operation['cleans'];
}

/** A schedule that has run, and its outcome. */
export interface Meeting {
  steps: Step[];
  trace: TraceEntry[];
  /** Null: the operation has not ended. */
  answers: (OperationAnswer | null)[];
  /** The changed rows, see `changesSince`. */
  changes: string[];
  /** The names of the broken invariants of the final state. */
  broken: string[];
  /** Operations that succeeded after another one that must stop them, see `mustStop`. */
  unstopped: string[];
}

export interface Stage {
  backend: Backend;
  initial: InitialState;
  /** Reads which invariants the current rows break. */
  brokenInvariants(backend: Backend): Promise<string[]>;
}

const letters = 'ABCD';

/**
 * Runs operations with the given schedule, and restores the data.
 *
 * @param choose returns the next step. Undefined: the operations that have not ended run no more statements.
 *   Null: the schedule can stop, because an equivalent one has run
 * @returns null if `choose` has returned null
 */
export async function meet(
  { backend, initial, brokenInvariants }: Stage,
  operations: readonly Operation[],
  choose: (choices: readonly Choice[]) => Step | null | undefined,
): Promise<Meeting | null> {
  const steps: Step[] = [];
  const trace: TraceEntry[] = [];
  await backend.begin();
  const runs = new Map<string, Run<OperationAnswer>>();
  let outcome: Promise<[changes: string[], broken: string[]]>;
  try {
    await startReady(runs, operations);
    for (let choices = choicesOf(runs, backend.overlaps); choices.length > 0; ) {
      const step = choose(choices);
      if (step === null) return null;
      if (step === undefined) break;
      steps.push(step);
      for (const [letter, executed] of await take(backend, runs, step))
        trace.push({
          ...executed,
          letter,
          label: labelOf(executed.statement),
          cleans: operations[letters.indexOf(letter)]?.cleans,
        });
      await startReady(runs, operations);
      choices = choicesOf(runs, backend.overlaps);
    }
    // Sent without waiting: the connection then restores the rows after it has read them.
    outcome = Promise.all([changesSince(initial, backend, changedTables(trace)), brokenInvariants(backend)]);
  } finally {
    await backend.restore();
  }
  const answers = operations.map((_, n) => runs.get(letters[n] ?? '')?.answer ?? null);
  const [changes, broken] = await outcome;
  return { steps, trace, answers, changes, broken, unstopped: unstoppedIn(operations, steps, answers) };
}

/** Starts the operations that wait for no other operation of the schedule. */
async function startReady(
  runs: Map<string, Run<OperationAnswer>>,
  operations: readonly Operation[],
): Promise<void> {
  for (const [n, { run, after }] of operations.entries()) {
    const letter = letters[n] ?? '';
    const before = after ? operations.indexOf(after) : -1;
    const isReady = before < 0 || (runs.get(letters[before] ?? '')?.answer ?? null) !== null;
    if (isReady && !runs.has(letter)) runs.set(letter, await start(run));
  }
}

/** The steps that are possible now. Two statements overlap only if both change rows, because a read waits for no lock. */
function choicesOf(runs: ReadonlyMap<string, Run<unknown>>, overlaps: boolean): Choice[] {
  const waiting = [...runs].flatMap(([letter, { next }]) =>
    next ? [{ step: letter, reads: isRead(next) }] : [],
  );
  const writers = waiting.filter(({ reads }) => !reads).map(({ step }) => step);
  const pairs = writers.flatMap((first) =>
    writers
      .filter((second) => second !== first)
      .map((second) => ({ step: `${first}&${second}`, reads: false })),
  );
  return overlaps ? [...waiting, ...pairs] : waiting;
}

/**
 * The operations that began after the end of another one that must stop them, and succeeded. An operation that uses a
 * token is stopped only if the token existed before the end of the other one.
 */
function unstoppedIn(
  operations: readonly Operation[],
  steps: readonly Step[],
  answers: Meeting['answers'],
): string[] {
  const hasSucceeded = (n: number) => /^(2|ok)/.test(`${answers[n]?.status}`);
  const has = (step: Step, n: number) => lettersIn(step).includes(letters[n] ?? '');
  const endOf = (n: number) => steps.findLastIndex((step) => has(step, n));
  return operations.flatMap((first, n) =>
    operations.flatMap((second, m) => {
      if (n === m || !mustStop(first.name, second.name) || !hasSucceeded(n) || !hasSucceeded(m)) return [];
      const giving = second.after ? operations.indexOf(second.after) : -1;
      const isStopped =
        endOf(n) < steps.findIndex((step) => has(step, m)) && (giving < 0 || endOf(giving) < endOf(n));
      return isStopped ? [`"${second.name}" after "${first.name}"`] : [];
    }),
  );
}

async function take(backend: Backend, runs: ReadonlyMap<string, Run<unknown>>, step: Step) {
  const chosen = lettersIn(step);
  const [first, second] = chosen.map((letter) => runs.get(letter) as Run<unknown>);
  const executed =
    first && second
      ? ((await backend.overlap?.(first, second)) ?? [])
      : [await backend.step(failing(first as Run<unknown>, faultOf(step)))];
  return executed.map((one, n) => [chosen[n] ?? '', one] as const);
}

/** `A`, `A!` and `A?` have one letter, `A&B` has two. */
const lettersIn = (step: Step): string[] => step.replace(/[!?]$/, '').split('&');

const changedTables = (trace: readonly TraceEntry[]): string[] => [
  ...new Set(trace.flatMap(({ effects }) => [...effects.keys()].map(tableOf))),
];
