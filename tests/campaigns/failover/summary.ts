import type { Verdict } from './ledger.ts';
import type { ProbeKind, StepRecord } from './step-record.ts';

/** Seconds. Infinity: the service did not recover. */
export interface Spread {
  readonly median: number;
  readonly max: number;
}

/** What the campaign observed in all rounds of one step. */
export interface StepSummary {
  readonly step: string;
  readonly rounds: number;
  readonly readsWorkAfterSeconds: Spread;
  readonly mutationsWorkAfterSeconds: Spread;
  readonly readyAfterSeconds: Spread;
  readonly limitsSharedAfterSeconds: Spread;
  readonly requests: number;
  /** The number of failed requests by status. The status 0 stands for a request without a response. */
  readonly failed: Readonly<Record<string, number>>;
  readonly slowestSeconds: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly recordedTwice: number;
  readonly sessionsEnded: number;
  readonly acceptedLateMs: number;
  /** How many attempts the processes accepted before and after the failover of Redis. Null: not counted. */
  readonly attemptsDuring: number | null;
  readonly attemptsAfter: number | null;
}

const noVerdict: Verdict = { acknowledged: 0, lost: 0, recordedTwice: 0 };

/** Summarizes all rounds of each step, in the order of the first round. */
export function summarize(
  records: readonly StepRecord[],
  verdicts: ReadonlyMap<StepRecord, Verdict>,
): StepSummary[] {
  const names = [...new Set(records.map(({ name }) => name))];
  return names.map((name) =>
    summarizeStep(
      name,
      records.filter((record) => record.name === name),
      verdicts,
    ),
  );
}

function summarizeStep(
  step: string,
  rounds: readonly StepRecord[],
  verdicts: ReadonlyMap<StepRecord, Verdict>,
): StepSummary {
  const all = rounds.map((record) => verdicts.get(record) ?? noVerdict);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const largest = (values: (number | null)[]) => {
    const counted = values.filter((value) => value !== null);
    return counted.length === 0 ? null : Math.max(...counted);
  };
  const failed: Record<string, number> = {};
  for (const { failures } of rounds)
    for (const [status, count] of failures) failed[status] = (failed[status] ?? 0) + count;
  return {
    step,
    rounds: rounds.length,
    readsWorkAfterSeconds: spreadOf(rounds, 'read'),
    mutationsWorkAfterSeconds: spreadOf(rounds, 'mutation'),
    readyAfterSeconds: spreadOf(rounds, 'readiness'),
    limitsSharedAfterSeconds: spreadOf(rounds, 'limits'),
    requests: sum(rounds.map(({ requests }) => requests)),
    failed,
    slowestSeconds: rounded(Math.max(...rounds.map(({ slowestMs }) => slowestMs)) / 1000),
    acknowledged: sum(all.map(({ acknowledged }) => acknowledged)),
    lost: sum(all.map(({ lost }) => lost)),
    recordedTwice: sum(all.map(({ recordedTwice }) => recordedTwice)),
    sessionsEnded: sum(rounds.map(({ revocations }) => revocations)),
    acceptedLateMs: Math.ceil(Math.max(...rounds.map(({ acceptedLateMs }) => acceptedLateMs))),
    attemptsDuring: largest(rounds.map(({ attemptsDuring }) => attemptsDuring)),
    attemptsAfter: largest(rounds.map(({ attemptsAfter }) => attemptsAfter)),
  };
}

/** Seconds to the first success. */
function spreadOf(rounds: readonly StepRecord[], kind: ProbeKind): Spread {
  const seconds = rounds
    .map((record) => record.secondsUntil(kind) ?? Number.POSITIVE_INFINITY)
    .sort((one, other) => one - other);
  const middle = seconds.length / 2;
  const median = ((seconds[Math.ceil(middle) - 1] ?? 0) + (seconds[Math.floor(middle)] ?? 0)) / 2;
  return { median: rounded(median), max: rounded(seconds.at(-1) ?? 0) };
}

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
