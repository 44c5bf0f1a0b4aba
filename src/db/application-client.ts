import type { Logger } from '../core/logger.ts';
import type { DatabaseSource } from './adapter.ts';

/** The EventEmitter methods of `pg` pools and clients that are used here. */
interface ErrorSource {
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
}

/**
 * Protects the process from crashes caused by a client of the application: warns about a postgres.js client that fetches
 * types, and handles the `error` events of a `pg` pool that has no listener for them.
 *
 * @returns a function that removes the listener
 */
export function guardApplicationClient(database: DatabaseSource | null, log: Logger): () => void {
  if (typeof database === 'function' && database.options.fetch_types) {
    log.warn(
      {},
      'the postgres.js client in `database` fetches types: if a connection ends during that query, the process ends; ' +
        'create the client with postgres(url, { fetch_types: false })',
    );
  }
  return isErrorSource(database) ? logPoolErrors(database, log) : () => {};
}

/** `pg` emits `error` when an idle connection breaks. An `error` event without a listener ends the process. */
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
