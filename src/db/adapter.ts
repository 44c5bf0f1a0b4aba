import type { Sql as PostgresClient } from 'postgres';
import type { Database } from '../core/database.ts';
import { fromPgPool, type PgPool } from './pg-pool.ts';
import { connectPostgres, fromPostgresClient } from './postgres.ts';

/** A URL, or a client that the application created. The application closes its own client. */
export type DatabaseSource = string | PostgresClient | PgPool | Database;

/**
 * Returns the adapter for the `database` option.
 *
 * @throws TypeError for any other value
 */
export function adapterFor(database: DatabaseSource | null): Database {
  if (typeof database === 'string') return connectPostgres(database);
  if (typeof database === 'function') return fromPostgresClient(database);
  if (isPgPool(database)) return fromPgPool(database);
  if (database && typeof database.query === 'function') return database as Database;
  throw new TypeError('database: expected a URL, a postgres.js client, a pg pool, or a Database');
}

/** Pools have a `connect` method; our `Database` does not. */
const isPgPool = (database: unknown): database is PgPool =>
  typeof database === 'object' && database !== null && 'connect' in database && 'query' in database;
