import { type Deviation, judge, type Serial } from './judge.ts';
import { type Meeting, meet, type Stage } from './meeting.ts';
import type { Operation } from './operation.ts';
import { oneAfterTheOther, Search } from './schedules.ts';

/** A schedule with an unexpected outcome. */
export interface Finding extends Deviation {
  /** The names of the operations: `bob leaves | adm leaves`. */
  operations: string;
  /** `A A B A&B` */
  schedule: string;
  labels: string[];
}

export interface Exploration {
  schedules: number;
  findings: Finding[];
}

const nameOf = (operations: readonly Operation[]): string => operations.map(({ name }) => name).join(' | ');

/** Runs all schedules of a few operations. @returns the first finding of each kind */
export async function explore(stage: Stage, operations: readonly Operation[]): Promise<Exploration> {
  const serials = await runSerially(stage, operations);
  const findings = new Map<string, Finding>();
  const search = new Search();
  let schedules = 0;
  do {
    const meeting = await meet(stage, operations, (choices) => search.choose(choices));
    if (!meeting) continue;
    schedules += 1;
    const deviation = judge(meeting, serials, stage.initial);
    if (deviation && !findings.has(deviation.kind))
      findings.set(deviation.kind, findingOf(operations, meeting, deviation));
  } while (search.advance());
  return { schedules, findings: [...findings.values()] };
}

const findingOf = (
  operations: readonly Operation[],
  { steps, trace }: Meeting,
  deviation: Deviation,
): Finding => ({
  ...deviation,
  operations: nameOf(operations),
  schedule: steps.join(' '),
  labels: trace.map(({ label }) => label),
});

/** Runs the operations in every serial order, and also without some of them, because a request can be refused. */
export async function runSerially(stage: Stage, operations: readonly Operation[]): Promise<Serial[]> {
  const serials: Serial[] = [];
  for (const order of arrangements('ABCD'.slice(0, operations.length))) {
    const meeting =
      order.length < 2
        ? await runAlone(stage, operations, order)
        : ((await meet(stage, operations, oneAfterTheOther(order))) as Meeting);
    serials.push({ order, meeting });
  }
  return serials;
}

const alone = new WeakMap<Operation, Meeting>();

/** Runs one of the operations, or none. Each operation runs only once, because it belongs to many pairs. */
async function runAlone(stage: Stage, operations: readonly Operation[], letter: string): Promise<Meeting> {
  const index = 'ABCD'.indexOf(letter || 'none');
  const operation = operations[index];
  if (!operation)
    return { steps: [], trace: [], answers: operations.map(() => null), changes: [], broken: [] };
  const meeting =
    alone.get(operation) ?? ((await meet(stage, [operation], oneAfterTheOther('A'))) as Meeting);
  alone.set(operation, meeting);
  return {
    ...meeting,
    answers: operations.map((_, n) => (n === index ? (meeting.answers[0] ?? null) : null)),
  };
}

/** All orders of all subsets: `AB` gives AB, A, BA, B and an empty order. */
const arrangements = (letters: string): string[] => [
  ...[...letters].flatMap((first) => arrangements(letters.replace(first, '')).map((rest) => first + rest)),
  '',
];
