import { brokenByStatement, isAudited } from '../invariants.ts';
import type { Meeting } from './meeting.ts';
import type { InitialState } from './state.ts';

/**
 * How a schedule differs from every serial order, the worst first:
 * - error: a request failed with a status of 500 or more
 * - audit: a statement changed rows without an audit event
 * - invariant: the rows break an invariant that holds after each serial order, or a change did not stop what it must stop
 * - state: the rows are different
 * - status: a request succeeded or failed differently
 * - late: the outcome is that of a serial order, but the changes ran in another order
 * - refusal: a request was refused, and changed nothing. Serial orders accept it, or refuse it with another error
 * - answer: the body of an answer is different
 * - event: only the audit events of refused requests are different
 */
export const kinds = [
  'error',
  'audit',
  'invariant',
  'state',
  'status',
  'late',
  'refusal',
  'answer',
  'event',
] as const;
export type Kind = (typeof kinds)[number];

export interface Deviation {
  kind: Kind;
  /** What is different, as text for people. */
  detail: string;
}

/**
 * The outcome of operations that ran one after the other in this order. If operations are left out: the outcome that the
 * others must have if those are refused.
 */
export interface Serial {
  order: string;
  meeting: Meeting;
}

/**
 * Compares a schedule with all serial orders of the same operations. Operations are serializable if their answers and
 * their rows match one serial order. Values that are new in each run, such as ids, are left out.
 */
export function judge(
  meeting: Meeting,
  serials: readonly Serial[],
  { mask }: InitialState,
): Deviation | null {
  const { answers, broken, trace } = meeting;
  const failed = answers.find((answer) => /^5/.test(`${answer?.status}`));
  if (failed) return { kind: 'error', detail: `${failed.status}` };
  const [unrecorded] = trace.flatMap(brokenByStatement);
  if (unrecorded) return { kind: 'audit', detail: unrecorded };
  if (meeting.unstopped.length > 0) return { kind: 'invariant', detail: meeting.unstopped.join(', ') };
  const newlyBroken = broken.filter(
    (name) => !serials.some(({ meeting: serial }) => serial.broken.includes(name)),
  );
  if (newlyBroken.length > 0) return { kind: 'invariant', detail: newlyBroken.join(', ') };

  const orders = ordersOfChanges(meeting);
  const isInOrder = ({ order }: Serial) => orders.some((changes) => agrees(order, changes));
  const alike = serials.filter(({ meeting: serial }) => outcomeOf(serial) === outcomeOf(meeting));
  const inOrder = alike.filter(isInOrder);
  if (inOrder.length === 0) {
    const exceptEvents = serials.find(
      (serial) => isInOrder(serial) && withoutRefusalEvents(serial.meeting) === withoutRefusalEvents(meeting),
    );
    if (exceptEvents)
      return { kind: 'event', detail: difference(outcomeOf(meeting), outcomeOf(exceptEvents.meeting)) };
    const exceptRefusals = serials.some(
      (serial) => isInOrder(serial) && withoutRefusals(serial.meeting) === withoutRefusals(meeting),
    );
    if (alike.length === 0 || exceptRefusals) return deviationFrom(serials, meeting);
    return {
      kind: 'late',
      detail: `the changes ran in the order ${orders[0]}, but the outcome is that of ${alike[0]?.order}`,
    };
  }
  const bodiesOf = (one: Meeting) => one.answers.map((answer) => mask(answer?.body)).join('\n');
  if (alike.some(({ meeting: serial }) => bodiesOf(serial) === bodiesOf(meeting))) return null;
  return { kind: 'answer', detail: difference(bodiesOf(meeting), bodiesOf(inOrder[0]?.meeting as Meeting)) };
}

function deviationFrom(serials: readonly Serial[], meeting: Meeting): Deviation {
  const complete = serials.filter(({ meeting: { answers } }) => !answers.includes(null));
  const isSimilar = serials.some(
    ({ meeting: serial }) => withoutRefusals(serial) === withoutRefusals(meeting),
  );
  if (isSimilar)
    return {
      kind: 'refusal',
      detail: unsettledStatuses(meeting, complete).join(', ') || statusesOf(meeting),
    };
  const sameAnswers = complete.find(({ meeting: serial }) => statusesOf(serial) === statusesOf(meeting));
  if (!sameAnswers) {
    const others = complete.map(({ order, meeting: serial }) => `${order}: ${statusesOf(serial)}`);
    return { kind: 'status', detail: `${statusesOf(meeting)} (${others.join('; ')})` };
  }
  return {
    kind: 'state',
    detail: difference(meeting.changes.join('\n'), sameAnswers.meeting.changes.join('\n')),
  };
}

const statusesOf = ({ answers }: Meeting): string => answers.map((answer) => answer?.status).join(', ');
/** Without those that an operation has in every serial order: some operations are always refused. */
const unsettledStatuses = ({ answers }: Meeting, complete: readonly Serial[]): string[] =>
  answers.flatMap((answer, n) =>
    answer && !complete.every(({ meeting: serial }) => serial.answers[n]?.status === answer.status)
      ? [answer.status]
      : [],
  );
const outcomeOf = (meeting: Meeting): string => [statusesOf(meeting), ...meeting.changes].join('\n');

const isRefusalEvent = (row: string): boolean => /^\+ audit_events .*"outcome":"failure"/.test(row);

/** A refused request leaves an event, and sometimes a spent challenge. */
const isAboutRefusal = (row: string): boolean => isRefusalEvent(row) || row.startsWith('+ spent_challenges ');

const withoutRefusalEvents = (meeting: Meeting): string =>
  [statusesOf(meeting), ...meeting.changes.filter((row) => !isRefusalEvent(row))].join('\n');

/** The outcome without the codes of refusals and the rows that they leave. */
function withoutRefusals({ answers, changes }: Meeting): string {
  const statuses = answers.map((answer) =>
    /^(2|ok)/.test(`${answer?.status}`) ? answer?.status : 'refused',
  );
  return [...statuses, ...changes.filter((row) => !isAboutRefusal(row))].join('\n');
}

/**
 * The letters of the operations that changed rows, in the order of their last changes. If two neighbors have overlapped,
 * they have no order, so the result contains both orders.
 */
function ordersOfChanges({ steps, trace }: Meeting): string[] {
  const changing = trace
    .filter(({ effects }) => [...effects.keys()].some(isAudited))
    .map(({ letter }) => letter);
  const order = [...new Set(changing.reverse())].reverse().join('');
  const swapped = [...order].flatMap((letter, n) => {
    const next = order[n + 1] ?? '';
    const haveOverlapped = steps.includes(`${letter}&${next}`) || steps.includes(`${next}&${letter}`);
    return haveOverlapped ? [order.replace(letter + next, next + letter)] : [];
  });
  return [order, ...swapped];
}

const agrees = (order: string, changes: string): boolean =>
  [...order].filter((letter) => changes.includes(letter)).join('') === changes;

/** The lines that only one of two texts contains. */
function difference(text: string, expected: string): string {
  const [lines, others] = [text.split('\n'), expected.split('\n')];
  return [
    ...lines.filter((line) => !others.includes(line)).map((line) => `got      ${line}`),
    ...others.filter((line) => !lines.includes(line)).map((line) => `expected ${line}`),
  ].join('\n');
}
