import type { Verdict } from './ledger.ts';
import { type ProbeKind, probeKinds, type StepRecord } from './step-record.ts';

/** What the campaign observed in one round of one step, as the recording stores it. */
export interface StepOutcome extends Verdict {
  readonly step: string;
  /** Whether a process of the application ended in this step, so that requests got no response. */
  readonly endsProcess: boolean;
  /** Seconds to the first success of each kind of probe. Null: no success after the last failure. */
  readonly secondsUntil: Readonly<Record<ProbeKind, number | null>>;
  readonly requests: number;
  /** The number of failed requests by status. The status 0 stands for a request without a response. */
  readonly failed: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly sessionsEnded: number;
  readonly acceptedLateMs: number;
  /** How many attempts the processes accepted before and after the failover of Redis. Null: not counted. */
  readonly attemptsDuring: number | null;
  readonly attemptsAfter: number | null;
}

const noVerdict: Verdict = { acknowledged: 0, lost: 0, recordedTwice: 0 };

export const outcomeOf = (record: StepRecord, verdict = noVerdict): StepOutcome => ({
  step: record.name,
  endsProcess: record.endsProcess,
  secondsUntil: Object.fromEntries(
    probeKinds.map((kind) => [kind, record.secondsUntil(kind)]),
  ) as StepOutcome['secondsUntil'],
  requests: record.requests,
  failed: Object.fromEntries(record.failures),
  slowestMs: record.slowestMs,
  sessionsEnded: record.revocations,
  acceptedLateMs: record.acceptedLateMs,
  attemptsDuring: record.attemptsDuring,
  attemptsAfter: record.attemptsAfter,
  ...verdict,
});
