import type { ReadSession } from './session.ts';

/** A session as it was read, and for how many milliseconds nothing about it changes by itself. */
export interface FoundSession {
  read: ReadSession;
  settledMs: number;
}

/** The sessions that this process has read in the last seconds, while the database reports what changes them. */
export interface SessionCache {
  read(token: string, find: (token: string) => Promise<FoundSession | null>): Promise<ReadSession | null>;
  statistics(): SessionStatistics;
}

/** Counts the session checks that can be answered from the cache. Guards that always read the row are not counted. */
export interface SessionStatistics {
  /** Answered from the cache, or by a read that another check had started. */
  fromCache: number;
  /** Answered by a read of the database. */
  fromDatabase: number;
  /** How many sessions the cache holds now. */
  cached: number;
  /** Whether the database reports changes. Otherwise every check reads the database. */
  listening: boolean;
}
