import type { Backend, Executed } from './backend.ts';
import { tableOf } from './effects.ts';
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
  try {
    for (const [n, { run }] of operations.entries()) runs.set(letters[n] ?? '', await start(run));
    for (let choices = choicesOf(runs, backend.overlaps); choices.length > 0; ) {
      const step = choose(choices);
      if (step === null) return null;
      if (step === undefined) break;
      steps.push(step);
      for (const [letter, executed] of await take(backend, runs, step))
        trace.push({ ...executed, letter, label: labelOf(executed.statement) });
      choices = choicesOf(runs, backend.overlaps);
    }
    const answers = [...runs.values()].map(({ answer }) => answer);
    const changes = await changesSince(initial, backend, changedTables(trace));
    return { steps, trace, answers, changes, broken: await brokenInvariants(backend) };
  } finally {
    await backend.restore();
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

async function take(backend: Backend, runs: ReadonlyMap<string, Run<unknown>>, step: Step) {
  const chosen = step.split('&');
  const [first, second] = chosen.map((letter) => runs.get(letter) as Run<unknown>);
  const executed =
    first && second
      ? ((await backend.overlap?.(first, second)) ?? [])
      : [await backend.step(first as Run<unknown>)];
  return executed.map((one, n) => [chosen[n] ?? '', one] as const);
}

const changedTables = (trace: readonly TraceEntry[]): string[] => [
  ...new Set(trace.flatMap(({ effects }) => [...effects.keys()].map(tableOf))),
];
