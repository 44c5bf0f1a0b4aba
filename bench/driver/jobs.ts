import type { Scenario } from '../throughput/scenarios.ts';
import type { Limit, Loaded } from './load.ts';
import type { Revocation } from './revocation.ts';

/** Names the way a contender is used. */
export type ProfileName = 'latchkey' | 'betterAuth' | 'express' | 'koa';

interface Place {
  profile: ProfileName;
  port: number;
  /** The name of the people that it is done for. */
  people: string;
}

/** What the driver does on demand, each with what it takes and gives. */
export interface Jobs {
  settle: { takes: Place & { count: number }; gives: null };
  refresh: { takes: Place & { from: string }; gives: null };
  makeCodes: { takes: Place & { count: number }; gives: number };
  load: { takes: Place & { scenario: Scenario; connections: number; limit: Limit }; gives: Loaded };
  firstAnswer: { takes: Place; gives: null };
  ceiling: { takes: { port: number; connections: number; limit: Limit }; gives: Loaded };
  /** Signatures in a second, without anything else. */
  signing: { takes: { seconds: number }; gives: number };
  revocation: { takes: Place & { otherPort: number; samples: number }; gives: Revocation };
  /** The answer of a check of the first person. */
  sample: { takes: Place; gives: string };
}

export type JobName = keyof Jobs;
export interface Job<Name extends JobName = JobName> {
  name: Name;
  takes: Jobs[Name]['takes'];
}
export type JobAnswer = { result: unknown } | { error: string };
