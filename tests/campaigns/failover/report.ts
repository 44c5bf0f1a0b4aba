import type { Checked } from './histories/check.ts';
import { cacheMs } from './histories/session.ts';
import type { StepOutcome } from './outcome.ts';
import { allowedAttempts } from './shared-limits.ts';
import { probeKinds, type StepRecord } from './step-record.ts';
import type { Spread, StepSummary } from './summary.ts';

type Columns<Row> = readonly (readonly [title: string, textOf: (row: Row) => string | number])[];

const stepColumns: Columns<StepSummary> = [
  ['fault', ({ step }) => step],
  ['rounds', ({ rounds }) => rounds],
  ['reads work after (s)', ({ readsWorkAfterSeconds }) => textOf(readsWorkAfterSeconds)],
  ['mutations work after (s)', ({ mutationsWorkAfterSeconds }) => textOf(mutationsWorkAfterSeconds)],
  ['ready after (s)', ({ readyAfterSeconds }) => textOf(readyAfterSeconds)],
  ['limits shared after (s)', ({ limitsSharedAfterSeconds }) => textOf(limitsSharedAfterSeconds)],
  ['requests', ({ requests }) => requests],
  ['failed, by status', ({ failed }) => describeFailures(Object.entries(failed))],
  ['slowest (s)', ({ slowestSeconds }) => slowestSeconds],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['lost', ({ lost }) => lost],
  ['recorded twice', ({ recordedTwice }) => recordedTwice],
  ['sessions ended', ({ sessionsEnded }) => sessionsEnded],
  ['accepted late (ms)', ({ acceptedLateMs }) => acceptedLateMs],
  [`attempts (limit ${allowedAttempts})`, describeAttempts],
];

const historyColumns: Columns<Checked> = [
  ['history of', ({ model }) => model],
  ['keys', ({ keys }) => keys],
  ['operations', ({ operations }) => operations],
  ['unknown results', ({ unknown }) => unknown],
  ['not linearizable', ({ unexplained }) => unexplained.length],
  ['undecided', ({ undecided }) => undecided.length],
];

/** The table of all steps in Markdown. With several rounds, the seconds are the median and the maximum. */
export const stepTable = (steps: readonly StepSummary[]): string => tableOf(stepColumns, steps);

/** The table of the histories in Markdown. */
export const historyTable = (checked: readonly Checked[]): string => tableOf(historyColumns, checked);

function tableOf<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map(([, textOf]) => `${textOf(row)}`));
  return [columns.map(([title]) => title), columns.map(() => '---'), ...cells]
    .map((line) => `| ${line.join(' | ')} |\n`)
    .join('');
}

/** The sums over all steps, and the results of the histories without the histories themselves. */
export function totalsOf(steps: readonly StepSummary[], checked: readonly Checked[]) {
  const sum = (key: 'requests' | 'acknowledged' | 'lost' | 'recordedTwice' | 'sessionsEnded') =>
    steps.reduce((total, step) => total + step[key], 0);
  return {
    requests: sum('requests'),
    acknowledged: sum('acknowledged'),
    lost: sum('lost'),
    recordedTwice: sum('recordedTwice'),
    sessionsEnded: sum('sessionsEnded'),
    acceptedLateMs: Math.max(...steps.map(({ acceptedLateMs }) => acceptedLateMs)),
    histories: checked.map(({ unexplained, undecided, ...counts }) => ({
      ...counts,
      notLinearizable: unexplained.length,
      undecided: undecided.length,
    })),
  };
}

/** One line while the campaign runs. */
export const lineOf = (record: StepRecord): string =>
  `${record.name}: reads after ${secondsText(record.secondsUntil('read'))} s, ` +
  `mutations after ${secondsText(record.secondsUntil('mutation'))} s, failed ${describeFailures(record.failures)}`;

/** Describes each result that makes the campaign fail. */
export function violationsOf(outcomes: readonly StepOutcome[], checked: readonly Checked[]): string[] {
  return [
    ...outcomes.flatMap((outcome) =>
      violationsIn(outcome).map((violation) => `${outcome.step}: ${violation}`),
    ),
    ...checked.flatMap(({ unexplained }) =>
      unexplained.map((history) => `no order explains this history:\n${history}`),
    ),
  ];
}

function violationsIn(outcome: StepOutcome): string[] {
  const { acceptedLateMs, attemptsAfter, endsProcess, failed, lost, recordedTwice, secondsUntil } = outcome;
  const allowed = endsProcess ? ['503', '0'] : ['503'];
  const unexpected = Object.keys(failed).filter((status) => !allowed.includes(status));
  const attempts = attemptsAfter ?? 0;
  return [
    ...(lost > 0 ? [`${lost} acknowledged mutations are lost`] : []),
    ...(recordedTwice > 0 ? [`${recordedTwice} mutations have more than one audit event`] : []),
    ...(unexpected.length > 0 ? [`requests failed with other statuses: ${unexpected.join(', ')}`] : []),
    ...(attempts > allowedAttempts ? [`${attempts} attempts passed a limit of ${allowedAttempts}`] : []),
    ...(acceptedLateMs > cacheMs
      ? [`a session was accepted ${acceptedLateMs.toFixed(0)} ms after its end`]
      : []),
    ...probeKinds
      .filter((kind) => secondsUntil[kind] === null)
      .map((kind) => `the probe "${kind}" never succeeded after its last failure`),
  ];
}

const secondsText = (seconds: number | null): string =>
  seconds === null || !Number.isFinite(seconds) ? 'never' : seconds.toFixed(1);

const textOf = ({ median, max }: Spread): string =>
  median === max ? secondsText(max) : `${secondsText(median)}, at most ${secondsText(max)}`;

function describeFailures(failures: Iterable<readonly [string | number, number]>): string {
  const counts = [...failures].map(([status, count]) => `${count} × ${Number(status) || 'no response'}`);
  return counts.join(', ') || '0';
}

function describeAttempts({ attemptsDuring, attemptsAfter }: StepSummary): string {
  const after = attemptsAfter === null ? '–' : `${attemptsAfter}`;
  return attemptsDuring === null ? after : `${attemptsDuring}, then ${after}`;
}
