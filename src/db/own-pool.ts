import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql as PostgresClient } from 'postgres';
import type { Database, Statement } from '../core/database.ts';
import { urlOfEachHost } from '../core/database-url.ts';
import { second } from '../core/duration.ts';
import { listening, listenOn, open, rowsOf, send } from './postgres.ts';
import { findPrimary, type ServerState } from './primary-host.ts';
import { Script } from './sql.ts';
import { isReadOnlyServer, isUnavailable } from './sql-states.ts';
import { statementTimeoutMs, withinTimeout } from './statement-timeout.ts';

interface Pool {
  /** The `application_name` of the connections. */
  readonly name: string;
  /** The URL of one host. Rejects if the database has several hosts, and no host is the primary. */
  readonly url: Promise<string>;
  readonly client: Promise<PostgresClient>;
  /** Ends the connections that listen to a channel. */
  readonly endListening: Set<() => void>;
}

const cancelByName = `
  select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity
  where application_name = $1 and state = 'active'`;

/**
 * The shortest time between two new pools. Without it, each request would open a pool while no primary
 * exists.
 */
const pauseMs = 200;

/**
 * Connects to the primary of the database. A new pool of connections replaces the pool in these cases:
 *
 * - A statement exceeds the time limit. The connections to a server that hangs would block later statements.
 * - The server is a standby. After a failover, a new connection can reach the primary.
 * - The URL has several hosts, and a connection failed, or a connection that listens to a channel did not open. Another
 *   host can be the primary now.
 *
 * Statements on the old pool get 4 seconds to finish. Connections that listen to a channel end at once,
 * because they receive no notifications about changes on a new primary.
 */
export function connectPostgres(url: string): Database {
  const hosts = urlOfEachHost(url).map(withoutTarget);
  const [onlyHost] = hosts.length === 1 ? hosts : [];
  let openedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  async function chooseHost(): Promise<string> {
    const waitMs = openedAt + pauseMs - performance.now();
    openedAt = performance.now() + Math.max(0, waitMs);
    if (waitMs > 0) await sleep(waitMs);
    return onlyHost ?? findPrimary(hosts, readState);
  }

  function openPool(): Pool {
    const chosen = chooseHost();
    const name = `latchkey ${randomBytes(6).toString('hex')}`;
    const client = chosen.then((host) => open(host, {}, name));
    // A rejection without a handler would end the process.
    client.catch(() => {});
    return { name, url: chosen, client, endListening: new Set() };
  }

  let pool = openPool();

  function replace(old: Pool): void {
    if (old !== pool || isClosed) return;
    pool = openPool();
    void close(old, statementTimeoutMs / second).then(() => cancelStatements(old));
  }

  /**
   * Cancels the statements that still run on the connections of a closed pool. While a statement waits for a
   * standby (synchronous replication), the server does not notice that the client has closed the connection.
   * If the service did not cancel these statements, their connections would use up `max_connections`.
   */
  async function cancelStatements({ name }: Pool): Promise<void> {
    const url = await pool.url.catch(() => null);
    if (url === null) return;
    // Uses a separate connection, because all connections of the new pool can wait for the standby, too.
    const client = open(url, { max: 1 });
    try {
      await withinTimeout(client.unsafe(cancelByName, [name]));
    } catch {
      // The server is unreachable or hangs, so this process cannot cancel the statements.
    }
    client.end({ timeout: 0 }).catch(() => {});
  }

  /** Opens a new pool if an error of this pool means that another server can be the primary now. */
  function replaceAfter(error: unknown, current: Pool): void {
    if (isReadOnlyServer(error) || (hosts.length > 1 && isUnavailable(error))) replace(current);
  }

  return {
    async query<Row extends object>(statement: Statement) {
      const current = pool;
      try {
        const client = await current.client;
        const sent = send<Row>(client, statement);
        // A script, such as a migration, has no time limit.
        const hung =
          statement instanceof Script ? undefined : setTimeout(() => replace(current), statementTimeoutMs);
        return await rowsOf(client, sent).finally(() => clearTimeout(hung));
      } catch (error) {
        replaceAfter(error, current);
        throw error;
      }
    },
    async listen(channel, subscriber) {
      const current = pool;
      let end = () => {};
      try {
        const client = open(await current.url, listening(subscriber));
        end = () => {
          // A server that hangs does not confirm the end of the connection, so postgres.js would not call `onClose`.
          subscriber.onClose();
          client.end({ timeout: 0 }).catch(() => {});
        };
        current.endListening.add(end);
        const subscription = await listenOn(channel, client);
        const stop = () => {
          current.endListening.delete(end);
          return subscription.close();
        };
        return { ...subscription, close: stop };
      } catch (error) {
        current.endListening.delete(end);
        // Without this, an idle process would keep its connections to a frozen primary. If that server resumed after a
        // failover, it would return ended sessions until it knew about the new primary.
        replaceAfter(error, current);
        throw error;
      }
    },
    close() {
      isClosed = true;
      return close(pool, 2);
    },
  };
}

/**
 * Removes `target_session_attrs=primary`, because every statement requires the primary anyway (`onPrimary`).
 * The setting would only work with servers that report `in_hot_standby`. PostgreSQL 13 and many poolers do
 * not report it.
 */
function withoutTarget(url: string): string {
  const parsed = new URL(url);
  parsed.searchParams.delete('target_session_attrs');
  return parsed.href;
}

/** @param seconds how long running statements can take to finish */
async function close({ client, endListening }: Pool, seconds: number): Promise<void> {
  for (const end of endListening) end();
  const opened = await client.catch(() => null);
  await opened?.end({ timeout: seconds }).catch(() => {});
}

/** The first eight digits of the name of a WAL file are the timeline. Standbys write no WAL. */
const timelineOfPrimary = `
  select ('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::bigint as timeline`;

/** @throws an error of postgres.js if the server is unreachable, or StatementTimeout if it hangs */
async function readState(url: string): Promise<ServerState> {
  const client = open(url, { max: 1 });
  try {
    const [row] = await withinTimeout(client.unsafe('select pg_catalog.pg_is_in_recovery() as standby'));
    if (row?.standby) return { standby: true, timeline: 0 };
    // Some databases that are compatible with PostgreSQL do not have these functions.
    const [wal] = await withinTimeout(client.unsafe(timelineOfPrimary)).catch(() => []);
    return { standby: false, timeline: Number(wal?.timeline ?? 0) };
  } finally {
    client.end({ timeout: 0 }).catch(() => {});
  }
}
