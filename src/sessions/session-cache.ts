import { LRUCache } from 'lru-cache';
import { bounds } from '../core/bounds.ts';
import type { Database } from '../core/database.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import type { CheckedSession } from '../core/session.ts';
import { everySession, type FoundSession, type SessionCache } from '../core/session-cache.ts';
import { keepListening } from '../db/notifications.ts';
import { hashToken } from './token.ts';

export interface OwnedSessionCache extends SessionCache {
  /** Evicts sessions. `id` is the id of a user, the id of a session, the hash of a token, or `everySession`. */
  invalidate(id: string): void;
  /**
   * Calls the function with each id that `invalidate` gets, and with each id in a notification of another process.
   * Starts to listen for these notifications.
   */
  observe(onInvalidated: (id: string) => void): void;
  close(): Promise<void>;
}

/** Triggers in the database notify this channel (migration 4). */
const channel = 'latchkey_sessions';
/** If a notification is lost, a cached session can be outdated for this long. */
const lifetimeMs = 5 * second;

/** The ids whose invalidation evicts a session. */
const idsOf = ({ user, session }: CheckedSession): string[] =>
  [user.id, session.id, session.impersonator?.id].filter((id) => id != null);

interface CachedSession {
  read: CheckedSession;
  /** The cache can return the session from this time, by the process's clock. The clock can be set back. */
  fromMs: number;
  /** The cache can return the session until this time. */
  untilMs: number;
}

/**
 * Caches each session for a few seconds. The first check starts to listen for the database's notifications, which
 * invalidate changed sessions. The cache is off while the process cannot listen.
 *
 * If a statement invalidates a session while a check reads its row, the row can be outdated and must not be cached.
 * Therefore, each invalidation increments a number, the generation. A row is cached only if the generation has not
 * changed since the read started.
 */
export function createSessionCache(adapter: Database, clock: () => Date, log: Logger): OwnedSessionCache {
  const cached = new LRUCache<string, CachedSession>({
    // Not `max`, which allocates the memory for all sessions in advance, even in a process that checks no session. A
    // cached session takes about a kilobyte of memory.
    maxSize: bounds.cachedSessions,
    sizeCalculation: () => 1,
    ttl: lifetimeMs,
    dispose: ({ read }, hash) => {
      for (const id of idsOf(read)) removeFromIndex(id, hash);
    },
  });
  /** The cached token hashes of each user id and session id. A session is also indexed under its impersonator. */
  const index = new Map<string, Set<string>>();
  const pending = new Map<string, { generation: number; found: Promise<CheckedSession | null> }>();
  const counts = { fromCache: 0, fromDatabase: 0 };
  let generation = 0;
  let isListening = false;
  let stopListening: (() => Promise<void>) | null = null;
  const observers: ((id: string) => void)[] = [];

  function removeFromIndex(id: string, hash: string): void {
    const hashes = index.get(id);
    hashes?.delete(hash);
    if (hashes?.size === 0) index.delete(id);
  }

  function add(hash: string, entry: CachedSession): void {
    cached.set(hash, entry);
    for (const id of idsOf(entry.read)) {
      const hashes = index.get(id) ?? new Set();
      index.set(id, hashes.add(hash));
    }
  }

  function invalidate(id: string): void {
    generation += 1;
    if (id === everySession) cached.clear();
    cached.delete(id);
    for (const hash of [...(index.get(id) ?? [])]) cached.delete(hash);
    for (const observer of observers) observer(id);
  }

  function clear(): void {
    generation += 1;
    cached.clear();
  }

  const listener = {
    // Any session can have changed while the process did not listen.
    onListening: () => {
      invalidate(everySession);
      isListening = true;
    },
    onNotification: invalidate,
    onLost: () => {
      isListening = false;
      clear();
    },
  };

  function startListening(): void {
    stopListening ??= keepListening(adapter, channel, listener, log);
  }

  async function readRow(
    token: string,
    hash: string,
    find: (token: string) => Promise<FoundSession | null>,
  ): Promise<CheckedSession | null> {
    const start = { generation, timeMs: clock().getTime() };
    const found = await find(token);
    // The lifetime starts with the read, because the session can change after the database has read the row.
    if (found && found.settledMs > 0 && isListening && start.generation === generation)
      add(hash, {
        read: found.read,
        fromMs: start.timeMs,
        untilMs: start.timeMs + Math.min(found.settledMs, lifetimeMs),
      });
    return found ? found.read : null;
  }

  async function check(
    token: string,
    find: (token: string) => Promise<FoundSession | null>,
  ): Promise<CheckedSession | null> {
    startListening();
    const hash = hashToken(token);
    const entry = isListening ? cached.get(hash) : undefined;
    const nowMs = clock().getTime();
    if (entry && nowMs >= entry.fromMs && nowMs < entry.untilMs) {
      counts.fromCache += 1;
      return entry.read;
    }
    const concurrentRead = isListening ? pending.get(hash) : undefined;
    if (concurrentRead?.generation === generation) {
      counts.fromCache += 1;
      return concurrentRead.found;
    }
    counts.fromDatabase += 1;
    const ownRead = { generation, found: readRow(token, hash, find) };
    pending.set(hash, ownRead);
    try {
      return await ownRead.found;
    } finally {
      if (pending.get(hash) === ownRead) pending.delete(hash);
    }
  }

  return {
    statistics: () => ({ ...counts, cached: cached.size, listening: isListening }),
    async read(token, find) {
      const read = await check(token, find);
      // Returns a copy, because the application can modify the session, and other requests use the cached session.
      if (!read) return null;
      const { impersonator } = read.session;
      const session = { ...read.session, impersonator: impersonator && { ...impersonator } };
      return { ...read, user: { ...read.user }, session };
    },
    invalidate,
    observe(onInvalidated) {
      observers.push(onInvalidated);
      startListening();
    },
    close() {
      // If no check has started to listen, this assignment prevents later checks from listening.
      stopListening ??= async () => {};
      return stopListening();
    },
  };
}
