import type { AuditEventReference, Database, Statement } from '../core/database.ts';
import { AuthError } from '../core/errors.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { onPrimary } from './on-primary.ts';
import { summaryOf } from './query-summary.ts';
import { isUnavailable } from './sql-states.ts';
import { withinTimeout } from './statement-timeout.ts';

/** How many statements the process has sent to the database. */
export interface DatabaseLoad {
  /** Statements that run or wait for a connection now. */
  pending: number;
  /** Since the process started. */
  succeeded: number;
  /** Since the process started. */
  failed: number;
}

/** What happens in this process when a statement runs. */
export interface StatementEffects {
  load?: DatabaseLoad;
  /** Called after a successful statement. `events`: the audit events that the statement may have recorded. */
  publish?(events: readonly AuditEventReference[]): void;
  /** Evicts cached reads with this id. */
  invalidate?(id: string): void;
  telemetry?: Telemetry | undefined;
}

const maxAttempts = 3;

/**
 * Returns the database that operations use. Its `query` runs a statement, and also does the following:
 *
 * 1. Counts the statement.
 * 2. Publishes the audit events of a successful statement.
 * 3. Invalidates cached reads, even after an error, because PostgreSQL can commit before the connection breaks.
 * 4. Retries a statement that PostgreSQL rolled back because of a concurrent statement.
 * 5. Throws `unavailable` (503) after 4 seconds, or earlier if the database is unreachable, overloaded or a standby.
 *
 * If a statement completes after these 4 seconds, `query` still does steps 1 to 3.
 */
export function composeDatabase(adapter: Database, effects: StatementEffects = {}): Database {
  const { load = { pending: 0, succeeded: 0, failed: 0 }, publish, invalidate, telemetry } = effects;

  const run = telemetry
    ? <Row extends object>(statement: Statement) =>
        telemetry.statement(summaryOf(statement.text), () => adapter.query<Row>(onPrimary(statement)))
    : <Row extends object>(statement: Statement) => adapter.query<Row>(onPrimary(statement));

  async function send<Row extends object>(statement: Statement): Promise<Row[]> {
    load.pending += 1;
    try {
      const rows = await run<Row>(statement);
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

  /** A retry is safe because every mutation is one statement, so the rollback has undone the whole mutation. */
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

/** The database for migrations. A migration can take longer than the time limit of a statement. */
export const withoutTimeout = (adapter: Database): Database => ({
  query: (statement) => translateErrors(adapter.query(statement)),
});

/** @throws AuthError `unavailable` for each error of a driver that means an unavailable database */
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
