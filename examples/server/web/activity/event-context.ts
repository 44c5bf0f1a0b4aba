import type { Reader } from './sentence.ts';

/** What the sentences and the values of events need beside the events. */
export interface EventContext {
  organizationName: (id: string) => string | undefined;
  /** The user who reads the events of their own account. Absent: an administrator. */
  reader?: Reader;
}
