import { LRUCache } from 'lru-cache';
import { second } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import type { ReadSession } from '../core/session.ts';
import type { Database, Statement } from '../db/database.ts';
import { keepListening } from '../db/notifications.ts';
import { hashToken } from './token.ts';

/** A session as it was read, and for how long nothing about it changes by itself. */
export interface FoundSession {
  read: ReadSession;
  settledMs: number;
}

/** What this process remembers of the sessions it has read, while it hears of what ends them. */
export interface SessionCache {
  read(token: string, find: (token: string) => Promise<FoundSession | null>): Promise<ReadSession | null>;
  /** The adapter, with an eye to what its statements outdate: to this process that is known before they are answered. */
  over(adapter: Database): Database;
  statistics(): SessionStatistics;
  close(): Promise<void>;
}

/** Of the checks that may be answered from memory; guards that always read the row are not counted. */
export interface SessionStatistics {
  /** Answered from memory, or by a read that was under way for another. */
  fromMemory: number;
  /** Answered by a row, or by there being none. */
  fromRow: number;
  /** How many are remembered just now. */
  remembered: number;
  /** Whether the database tells of what changes them; otherwise every check reads the row. */
  listening: boolean;
}

/** The triggers of migration 4 notify it. */
const channel = 'latchkey_sessions';
/** Bounds what a notification that got lost on a live connection can cost. */
const lifetime = 5 * second;
/** About a kilobyte each. */
const most = 20_000;

interface Remembered {
  read: ReadSession;
  /** By this process's clock: when the session expires, or is due to be noted as seen. */
  until: number;
}

/**
 * Remembers sessions for a few seconds, from the first check on, as long as the database tells of what changes them; as
 * soon as it cannot, nothing is remembered.
 *
 * A row that was read before something was outdated and arrives after it must not be remembered: whatever is outdated
 * moves the generation on, and a read is kept only in the generation that it began in.
 */
export function createSessionCache(adapter: Database, clock: () => Date, log: Logger): SessionCache {
  const remembered = new LRUCache<string, Remembered>({
    // By size, where each counts as one: for a `max` room would be made at once, also where nothing is ever checked.
    maxSize: most,
    sizeCalculation: () => 1,
    ttl: lifetime,
    dispose: ({ read }, hash) => {
      forgetIndex(read.user.id, hash);
      forgetIndex(read.session.id, hash);
    },
  });
  /** By the id of a user or a session: the hashes that are remembered of it. */
  const index = new Map<string, Set<string>>();
  const underWay = new Map<string, { generation: number; found: Promise<ReadSession | null> }>();
  const counts = { fromMemory: 0, fromRow: 0 };
  let generation = 0;
  let isListening = false;
  let stopListening: (() => Promise<void>) | null = null;

  function forgetIndex(id: string, hash: string): void {
    const hashes = index.get(id);
    hashes?.delete(hash);
    if (hashes?.size === 0) index.delete(id);
  }

  function remember(hash: string, entry: Remembered): void {
    remembered.set(hash, entry);
    for (const id of [entry.read.user.id, entry.read.session.id]) {
      const hashes = index.get(id) ?? new Set();
      index.set(id, hashes.add(hash));
    }
  }

  /** @param id of a user or a session, or the hash of a token */
  function outdate(id: string): void {
    generation += 1;
    remembered.delete(id);
    for (const hash of [...(index.get(id) ?? [])]) remembered.delete(hash);
  }

  function forgetAll(): void {
    generation += 1;
    remembered.clear();
  }

  const listener = {
    up: () => {
      forgetAll();
      isListening = true;
    },
    heard: outdate,
    down: () => {
      isListening = false;
      forgetAll();
    },
  };

  async function readRow(
    token: string,
    hash: string,
    find: (token: string) => Promise<FoundSession | null>,
  ): Promise<ReadSession | null> {
    const began = { generation, at: clock().getTime() };
    const found = await find(token);
    // From the beginning: what has ended since may not be in the row, however long it was on its way.
    if (found && found.settledMs > 0 && isListening && began.generation === generation)
      remember(hash, { read: found.read, until: began.at + Math.min(found.settledMs, lifetime) });
    return found ? found.read : null;
  }

  async function check(
    token: string,
    find: (token: string) => Promise<FoundSession | null>,
  ): Promise<ReadSession | null> {
    stopListening ??= keepListening(adapter, channel, listener, log);
    const hash = hashToken(token);
    const known = isListening ? remembered.get(hash) : undefined;
    if (known && clock().getTime() < known.until) {
      counts.fromMemory += 1;
      return known.read;
    }
    const other = isListening ? underWay.get(hash) : undefined;
    if (other?.generation === generation) {
      counts.fromMemory += 1;
      return other.found;
    }
    counts.fromRow += 1;
    const mine = { generation, found: readRow(token, hash, find) };
    underWay.set(hash, mine);
    try {
      return await mine.found;
    } finally {
      if (underWay.get(hash) === mine) underWay.delete(hash);
    }
  }

  return {
    statistics: () => ({ ...counts, remembered: remembered.size, listening: isListening }),
    async read(token, find) {
      const read = await check(token, find);
      // A copy: what is remembered is shared by requests, and the app may do with its own what it likes.
      return read && { ...read, user: { ...read.user }, session: { ...read.session } };
    },
    over: (database) => ({
      async query<Row extends object>(statement: Statement) {
        try {
          return await database.query<Row>(statement);
        } finally {
          // Also where it failed: what was acknowledged to nobody may have been committed.
          for (const id of statement.outdated) outdate(id);
        }
      },
    }),
    close() {
      // Requests may still come: none of them begins to listen any more.
      stopListening ??= async () => {};
      return stopListening();
    },
  };
}
