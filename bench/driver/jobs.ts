import type { Scenario } from '../throughput/scenarios.ts';
import type { Limit, Loaded } from './load.ts';
import type { Revocation } from './revocation.ts';

/** The profile of the contender. */
export type ProfileName = 'latchkey' | 'betterAuth' | 'express' | 'koa';

interface Place {
  profile: ProfileName;
  port: number;
  /** The name of the set of users. */
  people: string;
}

/** The jobs of the driver, with the input and the result of each job. */
export interface Jobs {
  settle: { takes: Place & { count: number }; gives: null };
  refresh: { takes: Place & { from: string }; gives: null };
  makeCodes: { takes: Place & { count: number }; gives: number };
  load: { takes: Place & { scenario: Scenario; connections: number; limit: Limit }; gives: Loaded };
  firstAnswer: { takes: Place; gives: null };
  ceiling: { takes: { port: number; connections: number; limit: Limit }; gives: Loaded };
  /** The number of signatures per second, without sending requests. */
  signing: { takes: { seconds: number }; gives: number };
  revocation: { takes: Place & { otherPort: number; samples: number }; gives: Revocation };
  /** The response to a session check of the first user. */
  sample: { takes: Place; gives: string };
}

export type JobName = keyof Jobs;
export interface Job<Name extends JobName = JobName> {
  name: Name;
  takes: Jobs[Name]['takes'];
}
export type JobAnswer = { result: unknown } | { error: string };
