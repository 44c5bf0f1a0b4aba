import type { AuditEventReference, Database, Statement } from '../core/database.ts';
import { AuthError } from '../core/errors.ts';
import { isUnavailable } from './sql-states.ts';
import { withinTimeout } from './statement-timeout.ts';

/** Statements of a process: sums since it started, and how many run now. */
export interface DatabaseLoad {
  /** Sent and not answered yet: on a connection, or waiting for one. */
  pending: number;
  succeeded: number;
  failed: number;
}

/** What follows from a statement besides its rows. */
export interface StatementEffects {
  load?: DatabaseLoad;
  /** Reports the audit events that a successful statement may have recorded. */
  publish?(events: readonly AuditEventReference[]): void;
  /** Drops what was cached under an id. */
  invalidate?(id: string): void;
}

const maxAttempts = 3;

/**
 * The database as operations use it. Each statement
 *
 * 1. is counted while it runs
 * 2. publishes its audit events when it has succeeded
 * 3. invalidates cached reads, also when it has failed: a statement whose answer was lost may have committed
 * 4. is retried when PostgreSQL rolled it back in favor of another one
 * 5. fails with `unavailable` (503) within 4 seconds when the database cannot be reached, is overloaded or hangs
 *
 * 2 and 3 also happen for a statement that completes after its caller got the 503.
 */
export function composeDatabase(adapter: Database, effects: StatementEffects = {}): Database {
  const { load = { pending: 0, succeeded: 0, failed: 0 }, publish, invalidate } = effects;

  async function send<Row extends object>(statement: Statement): Promise<Row[]> {
    load.pending += 1;
    try {
      const rows = await adapter.query<Row>(statement);
      load.succeeded += 1;
      publish?.(statement.auditEvents);
      return rows;
    } catch (error) {
      load.failed += 1;
      throw error;
    } finally {
      load.pending -= 1;
      if (invalidate) for (const id of statement.invalidates) invalidate(id);
    }
  }

  /** Safe because every mutation is one statement: the rollback left no part of it. */
  async function sendAgain<Row extends object>(statement: Statement, attempt = 1): Promise<Row[]> {
    try {
      return await send<Row>(statement);
    } catch (error) {
      if (attempt === maxAttempts || !isRolledBackForAnother(error)) throw error;
      return sendAgain(statement, attempt + 1);
    }
  }

  return {
    query: (statement) => translateErrors(withinTimeout(sendAgain(statement))),
  };
}

/** The adapter for migrations, which may take longer than a statement of a request. */
export const withoutTimeout = (adapter: Database): Database => ({
  query: (statement) => translateErrors(adapter.query(statement)),
});

/** @throws AuthError `unavailable` for every driver's errors about an unavailable database */
async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUnavailable(error)) throw new AuthError('unavailable', { cause: error });
    throw error;
  }
}

// deadlock_detected, serialization_failure
const isRolledBackForAnother = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^40(P01|001)$/.test(`${error.code}`);
