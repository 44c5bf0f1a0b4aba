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
  /** Drops what is cached under an id: of a user or a session, or the hash of a token. */
  invalidate(id: string): void;
  close(): Promise<void>;
}

/** The triggers of migration 4 notify this channel. */
const channel = 'latchkey_sessions';
/** Bounds how long a notification that was lost on a live connection matters. */
const lifetimeMs = 5 * second;
/** About a kilobyte each. */
const maxSessions = 20_000;

interface CachedSession {
  read: ReadSession;
  /** By this process's clock: when the session expires, or its last use must be recorded. */
  until: number;
}

/**
 * Caches sessions for a few seconds, from the first check on, while the database reports what changes them. When it
 * cannot, nothing is cached.
 *
 * A row that was read before an invalidation and arrives after it must not be cached. So every invalidation increments
 * the generation, and a read is cached only in the generation in which it started.
 */
export function createSessionCache(adapter: Database, clock: () => Date, log: Logger): OwnedSessionCache {
  const cached = new LRUCache<string, CachedSession>({
    // A size of one each instead of `max`, which would allocate all memory at once, even in a process without checks.
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
    const began = { generation, at: clock().getTime() };
    const found = await find(token);
    // Counted from the start of the read: a session that ended since may still look live in the row.
    if (found && found.settledMs > 0 && isListening && began.generation === generation)
      add(hash, { read: found.read, until: began.at + Math.min(found.settledMs, lifetimeMs) });
    return found ? found.read : null;
  }

  async function check(
    token: string,
    find: (token: string) => Promise<FoundSession | null>,
  ): Promise<ReadSession | null> {
    stopListening ??= keepListening(adapter, channel, listener, log);
    const hash = hashToken(token);
    const known = isListening ? cached.get(hash) : undefined;
    if (known && clock().getTime() < known.until) {
      counts.fromCache += 1;
      return known.read;
    }
    const other = isListening ? pending.get(hash) : undefined;
    if (other?.generation === generation) {
      counts.fromCache += 1;
      return other.found;
    }
    counts.fromDatabase += 1;
    const mine = { generation, found: readRow(token, hash, find) };
    pending.set(hash, mine);
    try {
      return await mine.found;
    } finally {
      if (pending.get(hash) === mine) pending.delete(hash);
    }
  }

  return {
    statistics: () => ({ ...counts, cached: cached.size, listening: isListening }),
    async read(token, find) {
      const read = await check(token, find);
      // A copy, because requests share the cached session and the application may change its own.
      return read && { ...read, user: { ...read.user }, session: { ...read.session } };
    },
    invalidate,
    close() {
      // Later checks must not start to listen again.
      stopListening ??= async () => {};
      return stopListening();
    },
  };
}
