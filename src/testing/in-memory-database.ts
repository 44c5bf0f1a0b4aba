import { createRequire } from 'node:module';
import type { Database } from '../db/database.ts';
import { fromPgPool, type PgPool } from '../db/pg-pool.ts';

/**
 * A database in this process's memory (pg-mem), for unit tests that should be fast and need no server. It runs the
 * service's own statements and migrations, but keeps no transactions apart and knows neither triggers nor locks:
 * what parallel requests may do to each other, only a real PostgreSQL tells.
 *
 * @param clock the database's time, as `latchkey.clock()` gives it
 * @throws Error where the optional peer `pg-mem` is not installed
 */
export function createInMemoryDatabase(clock: () => Date = () => new Date()): Database {
  const { newDb, DataType } = loadPgMem();
  const memory = newDb();
  memory.createSchema('latchkey');

  // Scripts in these languages are not run: the clock is ours, and pg-mem has no triggers for functions to serve.
  memory.registerLanguage('sql', () => clock);
  memory.registerLanguage('plpgsql', () => () => null);
  memory.public.registerFunction({
    name: 'pg_advisory_xact_lock',
    args: [DataType.bigint],
    returns: DataType.integer,
    implementation: () => 1,
  });
  memory.public.registerFunction({
    name: 'least',
    args: [DataType.timestamptz, DataType.timestamptz],
    returns: DataType.timestamptz,
    implementation: (a: Date, b: Date) => (a < b ? a : b),
  });

  const { Pool } = memory.adapters.createPg() as { Pool: new () => PgPool };
  const database = fromPgPool(new Pool());
  return {
    query: (statement) =>
      database.query<never>(statement).catch((error: Error) => {
        // PostgreSQL tells a missing table by its code, pg-mem only in words.
        if (/^relation .* does not exist/.test(error.message)) Object.assign(error, { code: '42P01' });
        throw error;
      }),
  };
}

function loadPgMem(): typeof import('pg-mem') {
  // Required, not imported: the peer is optional, and a test's set-up should not have to be asynchronous for it.
  return createRequire(import.meta.url)('pg-mem');
}
