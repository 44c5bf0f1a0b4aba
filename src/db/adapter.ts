import type { Sql as PostgresClient } from 'postgres';
import type { Database } from './database.ts';
import { fromPgPool, type PgPool } from './pg-pool.ts';
import { connectPostgres, fromPostgresClient } from './postgres.ts';

/** A URL, or what the application has made already, which stays the application's to close. */
export type DatabaseSource = string | PostgresClient | PgPool | Database;

/** The port over whatever the application has given. @throws TypeError for anything else */
export function adapterFor(database: DatabaseSource | null): Database {
  if (typeof database === 'string') return connectPostgres(database);
  if (typeof database === 'function') return fromPostgresClient(database);
  if (isPgPool(database)) return fromPgPool(database);
  if (database && typeof database.query === 'function') return database as Database;
  throw new TypeError('database: expected a URL, a postgres.js client, a pg pool, or a Database');
}

/** `pg` and its kind also hand out single clients; a Database of ours does not. */
const isPgPool = (database: unknown): database is PgPool =>
  typeof database === 'object' && database !== null && 'connect' in database && 'query' in database;
