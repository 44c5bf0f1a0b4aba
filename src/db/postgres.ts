import postgres, { type ParameterOrJSON, type Sql as PostgresClient } from 'postgres';
import { type Database, type Ear, Script, type Statement, statementLimit } from './database.ts';

/**
 * Runs our statements on a postgres.js client that the application has made; it stays the application's.
 *
 * @throws TypeError for a client that gives columns other names: ours are read by the names we gave
 */
export function fromPostgresClient(client: PostgresClient): Database {
  const { column, row } = client.options.transform;
  if (column.from || row.from) {
    throw new TypeError(
      'database: this postgres.js client transforms columns or rows; give Latchkey one without, or the URL',
    );
  }
  return {
    query: async <Row extends object>(statement: Statement) => [...(await run<Row>(client, statement))],
    listen: (channel, ear) =>
      // By the client's options as it has understood them, which is how its own `listen` connects, too.
      listenOn(channel, postgres({ ...(client.options as object), ...listening(ear) })),
  };
}

/**
 * Opens a pool of our own. When a statement outlives its limit the pool is replaced, so that a server that hung
 * does not keep its dead connections in our way; what the old pool still runs gets time to finish.
 */
export function connectPostgres(url: string): Database {
  let client = open(url);
  return {
    async query<Row extends object>(statement: Statement) {
      const current = client;
      if (statement instanceof Script) return [...(await run<Row>(current, statement))];
      const hung = setTimeout(() => {
        if (current !== client) return;
        client = open(url);
        void current.end({ timeout: 5 });
      }, statementLimit);
      try {
        return [...(await run<Row>(current, statement))];
      } finally {
        clearTimeout(hung);
      }
    },
    listen: (channel, ear) => listenOn(channel, open(url, listening(ear))),
    close: () => client.end({ timeout: 2 }),
  };
}

/**
 * Options of a client that is one connection, kept open. The client's own `listen` is not used: it does not tell when
 * its connection ends, and gives up for good where it cannot be made anew at once (postgres 3.4.9).
 */
const listening = ({ heard, lost }: Ear) => ({
  max: 1,
  connect_timeout: 3,
  idle_timeout: 0,
  max_lifetime: null,
  fetch_types: false,
  onnotify: (_channel: string, payload: string) => heard(payload),
  onclose: lost,
});

async function listenOn(channel: string, client: PostgresClient): Promise<{ close(): Promise<void> }> {
  const close = () => client.end({ timeout: 1 });
  try {
    await client.unsafe(`listen ${channel}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

function run<Row extends object>(client: PostgresClient, statement: Statement) {
  const values = statement.values as ParameterOrJSON<never>[];
  return values.length > 0
    ? client.unsafe<Row[]>(statement.text, values, { prepare: true })
    : client.unsafe<Row[]>(statement.text);
}

/** `timestamptz` as PostgreSQL writes it: most are only passed on. */
const timesAsText = {
  to: 1184,
  from: [1184],
  serialize: (time: Date | string) => (time instanceof Date ? time.toISOString() : time),
  parse: (text: string) => text,
};

function open(url: string, options: object = {}): PostgresClient {
  return postgres(url, {
    connect_timeout: 3,
    // The default waits up to 20 s between attempts; a database that is back should be used at once.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 0.5),
    onnotice: () => {},
    connection: { application_name: 'latchkey', TimeZone: 'UTC', DateStyle: 'ISO' },
    types: { date: timesAsText },
    ...options,
  });
}
