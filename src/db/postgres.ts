import postgres, { type ParameterOrJSON, type Sql as PostgresClient, type RowList } from 'postgres';
import type { ChannelSubscriber, Database, Statement } from '../core/database.ts';
import { Script } from './sql.ts';
import { statementTimeoutMs } from './statement-timeout.ts';

/**
 * Runs statements on a postgres.js client of the application. Does not close it.
 *
 * @throws TypeError if the client renames columns: rows are read by the original names
 */
export function fromPostgresClient(client: PostgresClient): Database {
  const { column, row } = client.options.transform;
  if (column.from || row.from) {
    throw new TypeError(
      'database: expected a postgres.js client without `transform` for columns or rows, or a URL',
    );
  }
  return {
    query: (statement) => run(client, statement),
    listen: (channel, subscriber) =>
      // The parsed options of the client, as its own `listen` uses them.
      listenOn(channel, postgres({ ...(client.options as object), ...listening(subscriber) })),
  };
}

/**
 * Opens a pool. If a statement exceeds its time limit, a new pool replaces the old one, so that dead connections of a
 * hung server do not block later statements. Statements that still run on the old pool get 5 seconds to finish.
 */
export function connectPostgres(url: string): Database {
  let client = open(url);
  return {
    async query<Row extends object>(statement: Statement) {
      const current = client;
      if (statement instanceof Script) return run<Row>(current, statement);
      const hung = setTimeout(() => {
        if (current !== client) return;
        client = open(url);
        current.end({ timeout: 5 }).catch(() => {});
      }, statementTimeoutMs);
      try {
        return await run<Row>(current, statement);
      } finally {
        clearTimeout(hung);
      }
    },
    listen: (channel, subscriber) => listenOn(channel, open(url, listening(subscriber))),
    close: () => client.end({ timeout: 2 }),
  };
}

/** Disables what postgres.js 3.4.9 does on a connection without awaiting it. */
const unattended = {
  // The query for array types is not awaited: a connection that ends during it ends the process.
  fetch_types: false,
  // A statement sent behind another on one connection waits forever when that connection breaks.
  max_pipeline: 0,
};

/**
 * Options of a client with one connection that stays open. The `listen` of postgres.js 3.4.9 is not used: it does not
 * report the end of its connection, and gives up after one failed attempt to connect again.
 */
const listening = ({ onNotification, onClose }: ChannelSubscriber) => ({
  max: 1,
  connect_timeout: 3,
  idle_timeout: 0,
  max_lifetime: null,
  ...unattended,
  onnotify: (_channel: string, payload: string) => onNotification(payload),
  onclose: onClose,
});

async function listenOn(channel: string, client: PostgresClient): Promise<{ close(): Promise<void> }> {
  const close = () => client.end({ timeout: 1 });
  // Otherwise every attempt to reach a hung server leaks a connection.
  const hung = setTimeout(() => client.end({ timeout: 0 }).catch(() => {}), statementTimeoutMs);
  try {
    await client.unsafe(`listen ${channel}`);
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(hung);
  }
  return { close };
}

async function run<Row extends object>(client: PostgresClient, statement: Statement): Promise<Row[]> {
  const values = statement.values as ParameterOrJSON<never>[];
  const result =
    values.length > 0
      ? await client.unsafe<Row[]>(statement.text, values, { prepare: true })
      : await client.unsafe<Row[]>(statement.text);
  assertStandbyReported(client);
  return completeRows(result);
}

/**
 * Returns the rows that the server sent. postgres.js 3.4.9 gives two wrong results after a broken connection:
 * - A statement sent to a connection that just broke gets the response of the next start-up: no rows, no command.
 * - A connection that breaks between two rows keeps its row counter: the next result starts with empty entries.
 *
 * @throws Error `CONNECTION_CLOSED` for a statement that never ran
 */
function completeRows<Row extends object>(result: RowList<Row[]>): Row[] {
  if (result.command === null) {
    throw Object.assign(new Error('The connection broke before the statement was sent'), {
      code: 'CONNECTION_CLOSED',
    });
  }
  return [...result].filter((row) => row !== undefined);
}

/**
 * Rejects servers that do not report their standby state in `parameters`. postgres.js 3.4.9 would query the state on
 * every new connection (`fetchState`), and the process would end if the connection broke during that query.
 *
 * @throws TypeError at the first statement
 */
function assertStandbyReported({ options, parameters }: PostgresClient): void {
  if (!options.target_session_attrs) return;
  if (parameters.in_hot_standby && parameters.default_transaction_read_only) return;
  throw new TypeError(
    `database: target_session_attrs=${options.target_session_attrs} needs a server that reports in_hot_standby and ` +
      'default_transaction_read_only (PostgreSQL 14 or later, without a pooler in between); remove ' +
      'target_session_attrs, or let the pooler report both (track_extra_parameters in PgBouncer)',
  );
}

/** Keeps `timestamptz` values as text. Parsing to a `Date` and back is slower; see `rfc3339`. */
const timesAsText = {
  to: 1184,
  from: [1184],
  serialize: (time: Date | string) => (time instanceof Date ? time.toISOString() : time),
  parse: (text: string) => text,
};

function open(url: string, options: object = {}): PostgresClient {
  return postgres(url, {
    ...unattended,
    connect_timeout: 3,
    // The default waits up to 20 s between attempts. This reconnects within 0.5 s once the database is back.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 0.5),
    onnotice: () => {},
    connection: { application_name: 'latchkey', TimeZone: 'UTC', DateStyle: 'ISO' },
    types: { date: timesAsText },
    ...options,
  });
}
