import type { Verdict } from './ledger.ts';
import { allowedAttempts } from './shared-limits.ts';
import type { ProbeKind, StepRecord } from './step-record.ts';

const columns: readonly [string, (record: StepRecord, verdict: Verdict) => string][] = [
  ['fault', ({ name }) => name],
  ['reads work after (s)', (record) => secondsOf(record, 'read')],
  ['mutations work after (s)', (record) => secondsOf(record, 'mutation')],
  ['ready after (s)', (record) => secondsOf(record, 'readiness')],
  ['limits shared after (s)', (record) => secondsOf(record, 'limits')],
  ['requests', ({ requests }) => `${requests}`],
  ['failed, by status', describeFailures],
  ['slowest (s)', ({ slowestMs }) => (slowestMs / 1000).toFixed(1)],
  ['acknowledged', (_, { acknowledged }) => `${acknowledged}`],
  ['lost', (_, { lost }) => `${lost}`],
  ['recorded twice', (_, { recordedTwice }) => `${recordedTwice}`],
  ['sessions ended', ({ revocations }) => `${revocations}`],
  ['accepted late (ms)', ({ acceptedLateMs }) => acceptedLateMs.toFixed(0)],
  [`attempts (limit ${allowedAttempts})`, describeAttempts],
];

const noVerdict: Verdict = { acknowledged: 0, lost: 0, recordedTwice: 0 };

/** The table of all steps in Markdown. */
export function tableOf(records: readonly StepRecord[], verdicts: ReadonlyMap<StepRecord, Verdict>): string {
  const rows = records.map((record) =>
    columns.map(([, textOf]) => textOf(record, verdicts.get(record) ?? noVerdict)),
  );
  return [columns.map(([title]) => title), columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/** One line while the campaign runs. */
export const summaryOf = (record: StepRecord): string =>
  `${record.name}: reads after ${secondsOf(record, 'read')} s, mutations after ${secondsOf(record, 'mutation')} s, ` +
  `failed ${describeFailures(record)}`;

/** Describes each result that makes the campaign fail. */
export function violationsOf(
  records: readonly StepRecord[],
  verdicts: ReadonlyMap<StepRecord, Verdict>,
): string[] {
  return records.flatMap((record) => {
    const { lost, recordedTwice } = verdicts.get(record) ?? noVerdict;
    const unexpected = [...record.failures.keys()].filter((status) => status !== 503);
    const attempts = record.attemptsAfter ?? 0;
    return [
      ...(lost > 0 ? [`${lost} acknowledged mutations are lost`] : []),
      ...(recordedTwice > 0 ? [`${recordedTwice} mutations have more than one audit event`] : []),
      ...(unexpected.length > 0 ? [`requests failed with other statuses: ${unexpected.join(', ')}`] : []),
      ...(attempts > allowedAttempts ? [`${attempts} attempts passed a limit of ${allowedAttempts}`] : []),
      ...(['read', 'mutation', 'readiness', 'limits'] as const)
        .filter((kind) => record.secondsUntil(kind) === null)
        .map((kind) => `the probe "${kind}" never succeeded after its last failure`),
    ].map((violation) => `${record.name}: ${violation}`);
  });
}

function secondsOf(record: StepRecord, kind: ProbeKind): string {
  const seconds = record.secondsUntil(kind);
  return seconds === null ? 'never' : seconds.toFixed(1);
}

function describeFailures({ failures }: StepRecord): string {
  const counts = [...failures].map(([status, count]) => `${count} × ${status || 'no response'}`);
  return counts.join(', ') || '0';
}

function describeAttempts({ attemptsDuring, attemptsAfter }: StepRecord): string {
  const after = attemptsAfter === null ? '–' : `${attemptsAfter}`;
  return attemptsDuring === null ? after : `${attemptsDuring}, then ${after}`;
}
