import type { Configuration } from '../core/config.ts';
import type { Database } from '../core/database.ts';
import { second } from '../core/duration.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Logger } from '../core/logger.ts';
import type { ReadSession } from '../core/session.ts';
import { everySession } from '../core/session-cache.ts';
import { milliseconds } from '../db/timestamp.ts';
import { longestLifetimes } from './lifetimes.ts';
import { isPrivileged } from './rules.ts';
import type { OwnedSessionCache } from './session-cache.ts';
import { selectWatched, type WatchedRow } from './store/watched.ts';

/**
 * Why `auth.watchSession` has called its function:
 *
 * - `ended`: the session is no longer live
 * - `changed`: the session is live, but the user has another role, or the session is no longer privileged
 */
export type SessionEnd = 'ended' | 'changed';

export interface SessionWatches {
  /** Implements `AuthService.watchSession`. */
  watch(read: ReadSession, onEnd: (reason: SessionEnd) => unknown): () => void;
  close(): void;
}

interface Watch {
  read: ReadSession;
  onEnd: (reason: SessionEnd) => unknown;
  /** The latest known expiry of the session. */
  expiresAtMs: number;
}

interface Dependencies {
  db: Database;
  config: Configuration;
  sessions: Pick<OwnedSessionCache, 'observe'>;
  clock: () => Date;
  log: Logger;
}

/** The users whose changes can end a session. */
const usersOf = ({ user, session }: ReadSession): string[] =>
  [user.id, session.impersonator?.id].filter((id) => id != null);

/** A session expires without a notification, and a notification can be lost. */
const intervalMs = 5 * second;
/** The most sessions in one statement. */
const batch = 1000;

/**
 * Watches sessions. Reads a session when a statement or a notification invalidates it or its user, and all sessions
 * every five seconds.
 */
export function createSessionWatches({ db, config, sessions, clock, log }: Dependencies): SessionWatches {
  const longest = {
    admin: longestLifetimes('admin', config),
    superadmin: longestLifetimes('superadmin', config),
  };
  /** By the id of the session. */
  const watches = new Map<string, Set<Watch>>();
  /** The watched sessions of each user and of each impersonator. */
  const sessionsOf = new Map<string, Set<string>>();
  /** The ids of the sessions to read. */
  const due = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isObserving = false;
  let isUnreachable = false;

  function add(watch: Watch): void {
    const { session } = watch.read;
    watches.set(session.id, (watches.get(session.id) ?? new Set()).add(watch));
    for (const id of usersOf(watch.read))
      sessionsOf.set(id, (sessionsOf.get(id) ?? new Set()).add(session.id));
    if (!isObserving) sessions.observe(onInvalidated);
    isObserving = true;
    timer ??= setInterval(() => readSoon(watches.keys()), intervalMs).unref();
    // The session can have ended between the read and now.
    readSoon([session.id]);
  }

  function remove(watch: Watch): void {
    const { session } = watch.read;
    const ofSession = watches.get(session.id);
    ofSession?.delete(watch);
    if (ofSession?.size !== 0) return;
    watches.delete(session.id);
    for (const id of usersOf(watch.read)) {
      const ofUser = sessionsOf.get(id);
      ofUser?.delete(session.id);
      if (ofUser?.size === 0) sessionsOf.delete(id);
    }
    if (watches.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function onInvalidated(id: string): void {
    if (id === everySession) readSoon(watches.keys());
    else readSoon(watches.has(id) ? [id] : (sessionsOf.get(id) ?? []));
  }

  function readSoon(ids: Iterable<string>): void {
    for (const id of ids) due.add(id);
    if (isReading || due.size === 0) return;
    isReading = true;
    void readDue().finally(() => {
      isReading = false;
    });
  }

  /** Reads until no session is due. A session that becomes due during a read is read again. */
  async function readDue(): Promise<void> {
    while (due.size > 0) {
      const ids = [...due].slice(0, batch);
      for (const id of ids) due.delete(id);
      const found = await read(ids);
      for (const id of ids)
        for (const watch of [...(watches.get(id) ?? [])]) compare(watch, found?.get(id), found);
    }
  }

  /** Returns null if the database is unreachable. */
  async function read(ids: readonly string[]): Promise<Map<string, WatchedRow> | null> {
    try {
      const rows = await db.query<WatchedRow>(selectWatched(ids, longest));
      isUnreachable = false;
      return new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      if (!isUnreachable)
        log.warn(
          { err: error },
          'cannot read watched sessions, so auth.watchSession notices their end later',
        );
      isUnreachable = true;
      return null;
    }
  }

  function compare(watch: Watch, row: WatchedRow | undefined, found: Map<string, WatchedRow> | null): void {
    if (row) watch.expiresAtMs = milliseconds(row.expires_at);
    // While the database is unreachable, a session can expire, but it cannot change.
    const isLive = found ? row !== undefined : clock().getTime() < watch.expiresAtMs;
    if (!isLive) end(watch, 'ended');
    else if (row && hasChanged(watch.read, row)) end(watch, 'changed');
  }

  const hasChanged = ({ user, session, privileged }: ReadSession, row: WatchedRow): boolean =>
    row.role !== user.role ||
    row.kind !== session.kind ||
    (privileged && !isPrivileged(config, { method: row.method, hasUnusedPasskey: row.has_unused_passkey }));

  function end(watch: Watch, reason: SessionEnd): void {
    remove(watch);
    const failed = (error: unknown) => log.error({ err: error }, 'a function of auth.watchSession failed');
    try {
      Promise.resolve(watch.onEnd(reason)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  return {
    watch(read, onEnd) {
      if (!isUuid(`${read?.session?.id}`) || typeof read.user?.id !== 'string')
        throw new TypeError(
          'auth.watchSession: expected the result of sessionOf or requireAccess (await it)',
        );
      if (typeof onEnd !== 'function')
        throw new TypeError('auth.watchSession: expected a function as the second argument');
      const { user, session } = read;
      const copy = { ...read, user: { ...user }, session: { ...session } };
      const watch = { read: copy, onEnd, expiresAtMs: Date.parse(session.expiresAt) };
      add(watch);
      return () => remove(watch);
    },
    close() {
      clearInterval(timer);
      watches.clear();
      sessionsOf.clear();
      due.clear();
    },
  };
}
