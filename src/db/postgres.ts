import postgres, { type ParameterOrJSON, type Sql as PostgresClient } from 'postgres';
import { type Database, Script, type Statement, statementLimit } from './database.ts';

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
    close: () => client.end({ timeout: 2 }),
  };
}

function run<Row extends object>(client: PostgresClient, statement: Statement) {
  const values = statement.values as ParameterOrJSON<never>[];
  return values.length > 0
    ? client.unsafe<Row[]>(statement.text, values, { prepare: true })
    : client.unsafe<Row[]>(statement.text);
}

function open(url: string): PostgresClient {
  return postgres(url, {
    connect_timeout: 3,
    // The default waits up to 20 s between attempts; a database that is back should be used at once.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 0.5),
    onnotice: () => {},
    connection: { application_name: 'latchkey' },
  });
}
