import type { StepOutcome } from './outcome.ts';
import type { ProbeKind } from './step-record.ts';

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

/** Summarizes all rounds of each step, in the order of the first round. */
export function summarize(outcomes: readonly StepOutcome[]): StepSummary[] {
  const names = [...new Set(outcomes.map(({ step }) => step))];
  return names.map((name) =>
    summarizeStep(
      name,
      outcomes.filter(({ step }) => step === name),
    ),
  );
}

function summarizeStep(step: string, rounds: readonly StepOutcome[]): StepSummary {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const largest = (values: (number | null)[]) => {
    const counted = values.filter((value) => value !== null);
    return counted.length === 0 ? null : Math.max(...counted);
  };
  const failed: Record<string, number> = {};
  for (const round of rounds)
    for (const [status, count] of Object.entries(round.failed))
      failed[status] = (failed[status] ?? 0) + count;
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
    acknowledged: sum(rounds.map(({ acknowledged }) => acknowledged)),
    lost: sum(rounds.map(({ lost }) => lost)),
    recordedTwice: sum(rounds.map(({ recordedTwice }) => recordedTwice)),
    sessionsEnded: sum(rounds.map(({ sessionsEnded }) => sessionsEnded)),
    acceptedLateMs: Math.ceil(Math.max(...rounds.map(({ acceptedLateMs }) => acceptedLateMs))),
    attemptsDuring: largest(rounds.map(({ attemptsDuring }) => attemptsDuring)),
    attemptsAfter: largest(rounds.map(({ attemptsAfter }) => attemptsAfter)),
  };
}

/** Seconds to the first success. */
function spreadOf(rounds: readonly StepOutcome[], kind: ProbeKind): Spread {
  const seconds = rounds
    .map(({ secondsUntil }) => secondsUntil[kind] ?? Number.POSITIVE_INFINITY)
    .sort((one, other) => one - other);
  const middle = seconds.length / 2;
  const median = ((seconds[Math.ceil(middle) - 1] ?? 0) + (seconds[Math.floor(middle)] ?? 0)) / 2;
  return { median: rounded(median), max: rounded(seconds.at(-1) ?? 0) };
}

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
