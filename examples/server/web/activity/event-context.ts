import type { Reader } from './sentence.ts';

/** What is needed to describe an event, in addition to the event. */
export interface EventContext {
  organizationName: (id: string) => string | undefined;
  /** The user who reads the events of their own account. Absent: an administrator. */
  reader?: Reader;
  /** Whether the reader can download proofs of events. */
  canProve?: boolean;
}
