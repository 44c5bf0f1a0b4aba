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
 * The database as the service sees it: one method.
 *
 * A statement with values runs as one prepared statement, one without by the simple query protocol.
 */
export interface Database {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  /**
   * Listens to a channel, on a connection of its own. Absent where a database cannot be listened to: then every check of
   * a session reads its row.
   */
  listen?(channel: string, ear: Ear): Promise<{ close(): Promise<void> }>;
  /** Closes what this adapter opened itself; a client that was handed in stays open. */
  close?(): Promise<void>;
}

/** Who listens to a channel. */
export interface Ear {
  heard(payload: string): void;
  /** The connection has ended, whoever ended it: nothing more will be heard. */
  lost(): void;
}

/** How long one statement may take before the caller is told 503; five seconds is the promise to clients. */
export const statementLimit = 4 * second;

/** Wraps an adapter so that a database that is gone, full or hung is an `unavailable` error in bounded time. */
export const withAvailability = (database: Database): Database =>
  withTranslatedErrors({ query: (statement) => withinLimit(withoutDeadlock(database, statement)) });

// deadlock_detected, serialization_failure
const rolledBackByAnother = /^40(P01|001)$/;
const mostAttempts = 3;

/**
 * Sends a statement again that PostgreSQL has rolled back in favour of another. It may be: a change is one statement
 * here, so that nothing of it is left, and nothing came before it.
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
    if (attempt === mostAttempts || !rolledBackByAnother.test(code)) throw error;
    return withoutDeadlock(database, statement, attempt + 1);
  }
}

/** Wraps an adapter so that whatever makes the database unavailable is one error, whichever driver told of it. */
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

/** Thrown when a statement takes longer than `statementLimit`; an adapter may use it to drop the connection. */
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
 * SQLSTATE classes in which the server, not the statement, is at fault: connection (08), rolled back by
 * concurrency (40), resources (53), operator intervention (57), system error (58), and what an administrator changes
 * under a running service: the role (28), the database (3D000, or 55000 when it accepts no connections), a lock limit
 * (55P03), a read-only standby (25006).
 */
const serverFault = /^(08|28|40|53|57|58)|^(25006|3D000|55000|55P03)$/;
// No class begins with E, as the names of system errors do: EPIPE is no SQLSTATE.
const sqlState = /^(?!E)[0-9A-Z]{5}$/;
// Driver errors that are not about the connection: a mistake of ours must surface as one.
const driverMistake = /^(UNDEFINED_VALUE|MAX_PARAMETERS_EXCEEDED|NOT_TAGGED_CALL|UNSAFE_TRANSACTION)$/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StatementTimeout) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (sqlState.test(code)) return serverFault.test(code);
  if (driverMistake.test(code) || error instanceof TypeError) return false;
  // Sockets (ECONNREFUSED, ENOTFOUND...) and both drivers' own connection errors.
  return code !== '' || /connection|timeout|terminated|closed/i.test(error.message);
}

/** Whether an error is a unique violation (23505) on the given column, as told by any of our adapters. */
export function violatesUnique(error: unknown, column: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  const { detail, data } = error as { detail?: string; data?: { details?: string } };
  return `${detail ?? data?.details ?? ''}`.includes(`(${column})`);
}

/** Whether a statement asked for a table that is not there (42P01), or not even its schema (3F000). */
export const isUndefinedTable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '3F000');
