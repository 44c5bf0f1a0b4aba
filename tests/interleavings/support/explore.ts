import { acceptedReason } from '../accepted.ts';
import { type Deviation, judge, type Serial } from './judge.ts';
import { type Meeting, meet, type Stage } from './meeting.ts';
import type { Operation } from './operation.ts';
import { type Choice, oneAfterTheOther, Search, type Step } from './schedules.ts';

/** A schedule with an unexpected outcome. */
export interface Finding extends Deviation {
  /** The names of the operations: `bob leaves | adm leaves`. */
  operations: string;
  /** `A A B A&B` */
  schedule: string;
  labels: string[];
  /** See `acceptedReason`. */
  accepted: string | null;
}

export interface Exploration {
  schedules: number;
  /** How many of the schedules have overlapping statements. */
  overlapped: number;
  findings: Finding[];
}

const nameOf = (operations: readonly Operation[]): string => operations.map(({ name }) => name).join(' | ');

/** What chooses the schedules. */
interface Chooser {
  choose(choices: readonly Choice[]): Step | null;
  /** Goes to the next schedule. @returns false if there is none */
  advance(): boolean;
}

/** Runs all schedules of a few operations, or those of `search`. @returns the first finding of each kind and reason */
export async function explore(
  stage: Stage,
  operations: readonly Operation[],
  search: Chooser = new Search(),
): Promise<Exploration> {
  const orders = ordersOf(operations);
  const known = new Map<string, Meeting>();
  const serials = (): Serial[] =>
    orders.flatMap((order) => {
      const meeting = known.get(order);
      return meeting ? [{ order, meeting }] : [];
    });
  /**
   * Most schedules have the outcome of the serial order in which their operations end, so the other orders run only if they
   * are needed. A schedule that is a serial order does not run again.
   */
  async function deviationOf(meeting: Meeting): Promise<Deviation | null> {
    const order = serialOrderOf(meeting.steps);
    if (orders.includes(order) && order.length === operations.length) known.set(order, meeting);
    let deviation = judge(meeting, serials(), stage.initial);
    const ends = orderOfEnds(meeting.steps);
    const others = orders.filter((other) => !known.has(other));
    for (const other of [...others.filter((one) => one === ends), ...others.filter((one) => one !== ends)]) {
      if (!deviation) break;
      known.set(other, await runInOrder(stage, operations, other));
      deviation = judge(meeting, serials(), stage.initial);
    }
    return deviation;
  }
  const findings = new Map<string, Finding>();
  let schedules = 0;
  let overlapped = 0;
  do {
    const meeting = await meet(stage, operations, (choices) => search.choose(choices));
    if (!meeting) continue;
    schedules += 1;
    const deviation = await deviationOf(meeting);
    if (meeting.steps.some((step) => step.includes('&'))) overlapped += 1;
    if (!deviation) continue;
    const finding = findingOf(operations, meeting, deviation);
    const key = `${finding.kind} ${finding.accepted}`;
    if (!findings.has(key)) findings.set(key, finding);
  } while (search.advance());
  return { schedules, overlapped, findings: [...findings.values()] };
}

/** The letters in the order in which they run. A serial order contains each letter once. */
const serialOrderOf = (steps: readonly Step[]): string =>
  steps.filter((step, n) => step !== steps[n - 1]).join('');

/** The letters of the operations, in the order of their last steps. */
const orderOfEnds = (steps: readonly Step[]): string =>
  [...new Set(steps.flatMap((step) => step.split('&')).reverse())].reverse().join('');

function findingOf(
  operations: readonly Operation[],
  { steps, trace }: Meeting,
  deviation: Deviation,
): Finding {
  const found = { ...deviation, operations: nameOf(operations), schedule: steps.join(' ') };
  return { ...found, labels: trace.map(({ label }) => label), accepted: acceptedReason(found) };
}

/** Runs the operations in every serial order, and also without some of them, because a request can be refused. */
export async function runSerially(stage: Stage, operations: readonly Operation[]): Promise<Serial[]> {
  const serials: Serial[] = [];
  for (const order of ordersOf(operations))
    serials.push({ order, meeting: await runInOrder(stage, operations, order) });
  return serials;
}

const runInOrder = async (stage: Stage, operations: readonly Operation[], order: string): Promise<Meeting> =>
  order.length < 2
    ? await runAlone(stage, operations, order)
    : ((await meet(stage, operations, oneAfterTheOther(order))) as Meeting);

/** The possible orders, the longest first. */
const ordersOf = (operations: readonly Operation[]): string[] =>
  arrangements('ABCD'.slice(0, operations.length))
    .filter((order) => isPossible(order, operations))
    .sort((one, other) => other.length - one.length);

/** An operation that needs the answer of another one runs after it. */
const isPossible = (order: string, operations: readonly Operation[]): boolean =>
  operations.every(({ after }, n) => {
    const before = after ? operations.indexOf(after) : -1;
    const [own, earlier] = [order.indexOf('ABCD'[n] ?? ''), order.indexOf('ABCD'[before] ?? 'none')];
    return own < 0 || before < 0 || (earlier >= 0 && earlier < own);
  });

const alone = new WeakMap<Operation, Meeting>();

/** Runs one of the operations, or none. Each operation runs only once, because it belongs to many pairs. */
async function runAlone(stage: Stage, operations: readonly Operation[], letter: string): Promise<Meeting> {
  const index = 'ABCD'.indexOf(letter || 'none');
  const operation = operations[index];
  if (!operation)
    return {
      steps: [],
      trace: [],
      answers: operations.map(() => null),
      changes: [],
      broken: [],
      unstopped: [],
    };
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
