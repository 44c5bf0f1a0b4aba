import { LRUCache } from 'lru-cache';
import type { Database } from '../core/database.ts';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import type { ReadSession } from '../core/session.ts';
import type { FoundSession, SessionCache } from '../core/session-cache.ts';
import { keepListening } from '../db/notifications.ts';
import { hashToken } from './token.ts';

/** The cache that `createAuthService` builds and closes. */
export interface OwnedSessionCache extends SessionCache {
  /** Evicts the sessions with this user id, session id or token hash. */
  invalidate(id: string): void;
  close(): Promise<void>;
}

/** The triggers of migration 4 notify this channel. */
const channel = 'latchkey_sessions';
/** The longest time that a cached session stays outdated after a lost notification. */
const lifetimeMs = 5 * second;
/** A cached session takes about a kilobyte. */
const maxSessions = 20_000;

interface CachedSession {
  read: ReadSession;
  /** By this process's clock: when the session expires, loses its freshness, or must be recorded as used. */
  untilMs: number;
}

/**
 * Caches sessions for a few seconds. The first check starts to listen for the database's notifications, which invalidate
 * changed sessions. While the connection that listens is down, the cache is off.
 *
 * A row that was read before an invalidation and arrives after it must not be cached. Therefore each invalidation
 * increments the generation, and a row is cached only if the generation is still the one in which its read started.
 */
export function createSessionCache(adapter: Database, clock: () => Date, log: Logger): OwnedSessionCache {
  const cached = new LRUCache<string, CachedSession>({
    // `max` would allocate the memory for all sessions at once, even in a process that checks none.
    maxSize: maxSessions,
    sizeCalculation: () => 1,
    ttl: lifetimeMs,
    dispose: ({ read }, hash) => {
      removeFromIndex(read.user.id, hash);
      removeFromIndex(read.session.id, hash);
    },
  });
  /** The cached token hashes of each user id and session id. */
  const index = new Map<string, Set<string>>();
  const pending = new Map<string, { generation: number; found: Promise<ReadSession | null> }>();
  const counts = { fromCache: 0, fromDatabase: 0 };
  let generation = 0;
  let isListening = false;
  let stopListening: (() => Promise<void>) | null = null;

  function removeFromIndex(id: string, hash: string): void {
    const hashes = index.get(id);
    hashes?.delete(hash);
    if (hashes?.size === 0) index.delete(id);
  }

  function add(hash: string, entry: CachedSession): void {
    cached.set(hash, entry);
    for (const id of [entry.read.user.id, entry.read.session.id]) {
      const hashes = index.get(id) ?? new Set();
      index.set(id, hashes.add(hash));
    }
  }

  function invalidate(id: string): void {
    generation += 1;
    cached.delete(id);
    for (const hash of [...(index.get(id) ?? [])]) cached.delete(hash);
  }

  function clear(): void {
    generation += 1;
    cached.clear();
  }

  const listener = {
    onListening: () => {
      clear();
      isListening = true;
    },
    onNotification: invalidate,
    onLost: () => {
      isListening = false;
      clear();
    },
  };

  async function readRow(
    token: string,
    hash: string,
    find: (token: string) => Promise<FoundSession | null>,
  ): Promise<ReadSession | null> {
    const start = { generation, timeMs: clock().getTime() };
    const found = await find(token);
    // The lifetime counts from the start of the read, because the session can end while the row is on its way.
    if (found && found.settledMs > 0 && isListening && start.generation === generation)
      add(hash, { read: found.read, untilMs: start.timeMs + Math.min(found.settledMs, lifetimeMs) });
    return found ? found.read : null;
  }

  async function check(
    token: string,
    find: (token: string) => Promise<FoundSession | null>,
  ): Promise<ReadSession | null> {
    stopListening ??= keepListening(adapter, channel, listener, log);
    const hash = hashToken(token);
    const entry = isListening ? cached.get(hash) : undefined;
    if (entry && clock().getTime() < entry.untilMs) {
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
      // Returns a copy: requests share the cached session, and the application may modify what it gets.
      return read && { ...read, user: { ...read.user }, session: { ...read.session } };
    },
    invalidate,
    close() {
      // Prevents later checks from listening again.
      stopListening ??= async () => {};
      return stopListening();
    },
  };
}
