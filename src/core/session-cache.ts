import type { ReadSession } from './session.ts';

/** A session that was read from the database. */
export interface FoundSession {
  read: ReadSession;
  /** The milliseconds until the session expires or its last use must be recorded. */
  settledMs: number;
}

/** Caches sessions for a few seconds, while the database reports changes to them. */
export interface SessionCache {
  read(token: string, find: (token: string) => Promise<FoundSession | null>): Promise<ReadSession | null>;
  statistics(): SessionStatistics;
}

/** Counts the session checks that the cache can answer. Guards that always read the row are not counted. */
export interface SessionStatistics {
  /** Checks answered by the cache, or by a read that another check started. */
  fromCache: number;
  /** Checks answered by a read from the database. */
  fromDatabase: number;
  /** The number of cached sessions. */
  cached: number;
  /** Whether the database reports changes. Otherwise every check reads the database. */
  listening: boolean;
}
