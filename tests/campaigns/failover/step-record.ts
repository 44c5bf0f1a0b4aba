/** A repeated request that shows whether a part of the service works. */
export interface Probe {
  beganAt: number;
  endedAt: number;
  succeeded: boolean;
}

export const probeKinds = ['read', 'mutation', 'readiness', 'limits'] as const;
export type ProbeKind = (typeof probeKinds)[number];

/** What the campaign observes between two faults. Times are milliseconds of `performance.now()`. */
export class StepRecord {
  readonly name: string;
  /** Whether a process of the application ends in this step, so that requests get no response. */
  readonly endsProcess: boolean;
  beganAt = 0;
  requests = 0;
  slowestMs = 0;
  /** The number of unexpected responses by status. The status 0 stands for a request without a response. */
  readonly failures = new Map<number, number>();
  readonly probes: Record<ProbeKind, Probe[]> = { read: [], mutation: [], readiness: [], limits: [] };
  /** Sessions that one process has ended while the load watched the other process. */
  revocations = 0;
  /** How long after the response to a sign-out the other process still accepted a request. */
  acceptedLateMs = 0;
  /** How many attempts the two processes accepted together. A shared budget allows `allowedAttempts`. */
  attemptsDuring: number | null = null;
  attemptsAfter: number | null = null;

  constructor(name: string, endsProcess: boolean) {
    this.name = name;
    this.endsProcess = endsProcess;
  }

  countRequest(status: number, expected: boolean, ms: number): void {
    this.requests += 1;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (!expected) this.failures.set(status, (this.failures.get(status) ?? 0) + 1);
  }

  /** The time of the last failure of the probes, or of the fault if no probe failed. */
  lastFailureAt(kinds: readonly ProbeKind[] = probeKinds): number {
    const failed = kinds.flatMap((kind) => this.probes[kind].filter(({ succeeded }) => !succeeded));
    return Math.max(this.beganAt, ...failed.map(({ beganAt }) => beganAt));
  }

  /**
   * Returns the seconds from the fault to the end of the first successful probe after the last failed probe. Returns 0
   * if no probe failed, and null if no probe succeeded after the failures.
   */
  secondsUntil(kind: ProbeKind): number | null {
    const probes = this.probes[kind];
    if (probes.every(({ succeeded }) => succeeded)) return 0;
    const last = this.lastFailureAt([kind]);
    const ends = probes
      .filter(({ beganAt, succeeded }) => succeeded && beganAt > last)
      .map(({ endedAt }) => endedAt);
    return ends.length === 0 ? null : (Math.min(...ends) - this.beganAt) / 1000;
  }
}
