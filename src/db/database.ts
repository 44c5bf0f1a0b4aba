import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Statement } from './statement.ts';

export {
  andExists,
  type EntryReference,
  from,
  join,
  prepared,
  raw,
  Script,
  Statement,
  sql,
} from './statement.ts';

/**
 * The port to the database. Implement it to use another driver; adapters for postgres.js and `pg` pools are built in.
 *
 * A statement with values runs as one prepared statement. A statement without values runs by the simple query protocol.
 *
 * @example
 * const database: Database = { query: async ({ text, values }) => (await pool.query(text, values)).rows };
 */
export interface Database {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  /**
   * Subscribes to a channel on a connection of its own (PostgreSQL `listen`). Without this method, every session check
   * reads the database.
   */
  listen?(channel: string, ear: Ear): Promise<{ close(): Promise<void> }>;
  /** Closes the connections that the adapter opened. Does not close a client of the application. */
  close?(): Promise<void>;
}

/** The callbacks of a subscription to a channel. */
export interface Ear {
  /** A notification arrived. */
  heard(payload: string): void;
  /** The connection ended, for any reason. No further notification arrives. */
  lost(): void;
}

/** Milliseconds until a statement times out with 503. Clients are promised an answer within 5 seconds. */
export const statementLimit = 4 * second;

/** Wraps an adapter: an unreachable, overloaded or hung database becomes an `unavailable` error in bounded time. */
export const withAvailability = (database: Database): Database =>
  withTranslatedErrors({ query: (statement) => withinLimit(withoutDeadlock(database, statement)) });

// deadlock_detected, serialization_failure
const rolledBackByAnother = /^40(P01|001)$/;
const maxAttempts = 3;

/**
 * Retries a statement that PostgreSQL rolled back because of a deadlock or a serialization failure. This is safe because
 * every mutation is one statement: the rollback left no part of it.
 */
async function withoutDeadlock<Row extends object>(
  database: Database,
  statement: Statement,
  attempt = 1,
): Promise<Row[]> {
  try {
    return await database.query<Row>(statement);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
    if (attempt === maxAttempts || !rolledBackByAnother.test(code)) throw error;
    return withoutDeadlock(database, statement, attempt + 1);
  }
}

/** Wraps an adapter: every driver's errors about an unavailable database become the `unavailable` error. */
export function withTranslatedErrors(database: Database): Database {
  return {
    async query<Row extends object>(statement: Statement): Promise<Row[]> {
      try {
        return await database.query<Row>(statement);
      } catch (error) {
        if (isUnavailable(error)) throw new AuthError('unavailable', { cause: error });
        throw error;
      }
    },
  };
}

/** Thrown when a statement takes longer than `statementLimit`. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';
  constructor() {
    super(`The database did not answer within ${statementLimit / second} s`);
  }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StatementTimeout()), statementLimit);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * SQLSTATE codes that mean an unavailable server rather than a wrong statement:
 *
 * - connection (08), rollback by concurrency (40), resources (53), operator intervention (57), system error (58)
 * - changes by an administrator: role (28), missing database (3D000), database that accepts no connections (55000),
 *   lock limit (55P03), read-only standby (25006)
 */
const serverFault = /^(08|28|40|53|57|58)|^(25006|3D000|55000|55P03)$/;
// Excludes names of system errors such as EPIPE. No SQLSTATE class begins with E.
const sqlState = /^(?!E)[0-9A-Z]{5}$/;
// Driver errors that report a programming mistake, not an unavailable database.
const driverMistake = /^(UNDEFINED_VALUE|MAX_PARAMETERS_EXCEEDED|NOT_TAGGED_CALL|UNSAFE_TRANSACTION)$/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StatementTimeout) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (sqlState.test(code)) return serverFault.test(code);
  if (driverMistake.test(code) || error instanceof TypeError) return false;
  // Socket errors (ECONNREFUSED, ENOTFOUND) and the connection errors of both drivers.
  return code !== '' || /connection|timeout|terminated|closed/i.test(error.message);
}

/** Whether an error is a unique violation (23505) on the given column. Works with every adapter. */
export function violatesUnique(error: unknown, column: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  const { detail, data } = error as { detail?: string; data?: { details?: string } };
  return `${detail ?? data?.details ?? ''}`.includes(`(${column})`);
}

/** Whether a statement failed because a table (42P01) or its schema (3F000) does not exist. */
export const isUndefinedTable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '3F000');
