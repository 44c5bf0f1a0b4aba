import type { CheckedSession } from './session.ts';

/** In the ids that a statement invalidates, means all sessions. */
export const everySession = '*';

/** A session from the database. */
export interface FoundSession {
  read: CheckedSession;
  /** How many milliseconds the row stays correct if no statement changes it. 0: do not cache the session. */
  settledMs: number;
}

/** Caches each session for a few seconds. Caches sessions only while the process can listen for changes of sessions. */
export interface SessionCache {
  read(token: string, find: (token: string) => Promise<FoundSession | null>): Promise<CheckedSession | null>;
  statistics(): SessionStatistics;
}

/** The number of session checks and cached sessions. Checks that always read the database are not counted. */
export interface SessionStatistics {
  /** Checks that found the session in the cache, or shared the database read of another check. */
  fromCache: number;
  /** Checks that read the database. */
  fromDatabase: number;
  /** The number of sessions in the cache now. */
  cached: number;
  /** Whether the process listens for changes of sessions in the database. If false, every check reads the database. */
  listening: boolean;
}
