import type { Logger } from '../core/logger.ts';
import type { DatabaseSource } from './adapter.ts';

/** The part of a `pg` pool's EventEmitter that this file uses. */
interface ErrorSource {
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
}

/**
 * Protects the process from crashes that the application's database client can cause. Logs a warning if a postgres.js
 * client fetches types. Adds an `error` listener to a `pg` pool that has none.
 *
 * @returns a function that removes the added listener
 */
export function guardApplicationClient(database: DatabaseSource | null, log: Logger): () => void {
  if (typeof database === 'function' && database.options.fetch_types) {
    log.warn(
      {},
      'the postgres.js client in `database` fetches types, so each new connection runs a query; if the ' +
        'connection ends during this query, the process ends; ' +
        'create the client with postgres(url, { fetch_types: false })',
    );
  }
  return isErrorSource(database) ? logPoolErrors(database, log) : () => {};
}

/** A `pg` pool emits `error` when an idle connection breaks. An `error` event without a listener ends the process. */
function logPoolErrors(pool: ErrorSource, log: Logger): () => void {
  if (pool.listenerCount('error') > 0) return () => {};
  const warn = (error: Error) => log.warn({ err: error }, 'a connection of the pg pool in `database` broke');
  pool.on('error', warn);
  return () => pool.off('error', warn);
}

const isErrorSource = (database: unknown): database is ErrorSource =>
  typeof database === 'object' &&
  database !== null &&
  'on' in database &&
  'off' in database &&
  'listenerCount' in database;
