import type { Sql as PostgresClient } from 'postgres';
import type { Database } from '../core/database.ts';
import { connectPostgres } from './own-pool.ts';
import { fromPgPool, type PgPool } from './pg-pool.ts';
import { fromPostgresClient } from './postgres.ts';

/** A database URL, or a client that the application created. Latchkey does not close the application's client. */
export type DatabaseSource = string | PostgresClient | PgPool | Database;

/**
 * Returns the adapter for the `database` option.
 *
 * @throws TypeError if the value is not a `DatabaseSource`
 */
export function adapterFor(database: DatabaseSource | null): Database {
  if (typeof database === 'string') return connectPostgres(database);
  if (typeof database === 'function') return fromPostgresClient(database);
  if (isPgPool(database)) return fromPgPool(database);
  if (database && typeof database.query === 'function') return database as Database;
  throw new TypeError('database: expected a URL, a postgres.js client, a pg pool, or a Database');
}

/** A `pg` pool has a `connect` method. A `Database` has none. */
const isPgPool = (database: unknown): database is PgPool =>
  typeof database === 'object' && database !== null && 'connect' in database && 'query' in database;
