import postgres, {
  type ParameterOrJSON,
  type PendingQuery,
  type Sql as PostgresClient,
  type RowList,
} from 'postgres';
import type { ChannelSubscriber, Database, Statement, Subscription } from '../core/database.ts';
import { requirePrimary } from './on-primary.ts';
import { statementTimeoutMs } from './statement-timeout.ts';

/**
 * Runs statements on the application's postgres.js client. Does not close the client.
 *
 * @throws TypeError if the client renames columns, because Latchkey reads rows by the original names
 */
export function fromPostgresClient(client: PostgresClient): Database {
  const { column, row } = client.options.transform;
  if (column.from || row.from) {
    throw new TypeError(
      'database: expected a postgres.js client without `transform` for columns or rows, or a URL',
    );
  }
  return {
    query: (statement) => rowsOf(client, send(client, statement)),
    listen: (channel, subscriber) =>
      // postgres.js does the same in its own `listen`: it passes the client's parsed options to a new client.
      listenOn(channel, postgres({ ...(client.options as object), ...listening(subscriber) })),
  };
}

/** Disables two features of postgres.js 3.4.9 that do not survive a broken connection. */
const unattended = {
  // postgres.js does not await its query for array types. If the connection ends during this query, the process ends.
  fetch_types: false,
  // If a connection with two sent statements breaks, the second statement never settles.
  max_pipeline: 0,
};

/**
 * Options of a client with one connection that stays open. Latchkey does not use the `listen` of postgres.js 3.4.9,
 * because that method does not report the end of its connection, and stops after one failed attempt to reconnect.
 */
export const listening = ({ onNotification, onClose }: ChannelSubscriber) => ({
  max: 1,
  connect_timeout: 3,
  idle_timeout: 0,
  max_lifetime: null,
  ...unattended,
  onnotify: (_channel: string, payload: string) => onNotification(payload),
  onclose: onClose,
});

/** @param client a client with the options `listening` */
export async function listenOn(channel: string, client: PostgresClient): Promise<Subscription> {
  const close = () => client.end({ timeout: 1 });
  // Without this limit, each attempt to reach a server that hangs leaks a connection.
  const hung = setTimeout(() => client.end({ timeout: 0 }).catch(() => {}), statementTimeoutMs);
  try {
    await client.unsafe(`listen ${channel}`);
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(hung);
  }
  return {
    close,
    check: async () => void (await client.unsafe(requirePrimary.text)),
  };
}

/** Sends a statement. `rowsOf` waits for its result. */
export function send<Row extends object>(
  client: PostgresClient,
  { text, values }: Statement,
): PendingQuery<Row[]> {
  return values.length > 0
    ? client.unsafe<Row[]>(text, values as ParameterOrJSON<never>[], { prepare: true })
    : client.unsafe<Row[]>(text);
}

export async function rowsOf<Row extends object>(
  client: PostgresClient,
  sent: PendingQuery<Row[]>,
): Promise<Row[]> {
  const result = await sent;
  assertStandbyReported(client);
  return completeRows(result);
}

/**
 * Returns the rows that the server sent. After a connection breaks, postgres.js 3.4.9 reconnects, and can then return
 * one of two wrong results:
 *
 * - If postgres.js assigned the statement to the broken connection, the statement never reached the server. The result
 *   then belongs to the new connection's start-up, and has no rows and no command.
 * - If the connection broke between two rows, the row counter is not reset, so the next result starts with empty items.
 *
 * @throws Error `CONNECTION_CLOSED` for a statement that never ran
 */
function completeRows<Row extends object>(result: RowList<Row[]>): Row[] {
  if (result.command === null) {
    throw Object.assign(new Error('the connection broke before the statement was sent'), {
      code: 'CONNECTION_CLOSED',
    });
  }
  return [...result].filter((row) => row !== undefined);
}

/**
 * Rejects `target_session_attrs` for a server that does not report whether it is a standby. For such a server,
 * postgres.js 3.4.9 runs a query on each new connection (`fetchState`). If the connection breaks during this query, the
 * process ends.
 *
 * @throws TypeError after the first statement
 */
function assertStandbyReported({ options, parameters }: PostgresClient): void {
  if (!options.target_session_attrs) return;
  if (parameters.in_hot_standby && parameters.default_transaction_read_only) return;
  throw new TypeError(
    `database: target_session_attrs=${options.target_session_attrs} needs a server that reports in_hot_standby and ` +
      'default_transaction_read_only (PostgreSQL 14 or later, without a connection pooler). Remove ' +
      'target_session_attrs, or configure the pooler to report both (track_extra_parameters in PgBouncer).',
  );
}

/** Returns `timestamptz` values as text, because `rfc3339` formats text faster than a `Date`. */
const timesAsText = {
  to: 1184,
  from: [1184],
  serialize: (time: Date | string) => (time instanceof Date ? time.toISOString() : time),
  parse: (text: string) => text,
};

export function open(url: string, options: object = {}, applicationName = 'latchkey'): PostgresClient {
  return postgres(url, {
    ...unattended,
    connect_timeout: 3,
    // In seconds. By default, postgres.js can wait for up to 20 s after the database is reachable again.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 0.5),
    onnotice: () => {},
    connection: { application_name: applicationName, TimeZone: 'UTC', DateStyle: 'ISO' },
    types: { date: timesAsText },
    ...options,
  });
}
