import { StatementTimeout } from './statement-timeout.ts';

/**
 * SQLSTATE codes that mean an unavailable database, not a wrong statement:
 *
 * - broken connection (08), rollback because of a concurrent statement (40), insufficient resources (53), operator
 *   intervention (57), system error (58)
 * - rejected role or password (28), missing database (3D000), database that accepts no connections (55000), lock
 *   timeout (55P03), read-only standby (25006)
 */
const serverFault = /^(08|28|40|53|57|58)|^(25006|3D000|55000|55P03)$/;
// Names of system errors, such as EPIPE, also have five characters. No SQLSTATE class begins with E.
const sqlState = /^(?!E)[0-9A-Z]{5}$/;
// Driver errors that report a programming mistake, not an unavailable database.
const driverMistake = /^(UNDEFINED_VALUE|MAX_PARAMETERS_EXCEEDED|NOT_TAGGED_CALL|UNSAFE_TRANSACTION)$/;

/** Whether an error of any driver means that the database is unavailable. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StatementTimeout) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (sqlState.test(code)) return serverFault.test(code);
  if (driverMistake.test(code) || error instanceof TypeError) return false;
  // Errors of sockets (ECONNREFUSED, ENOTFOUND) and of connections in postgres.js and `pg`.
  return code !== '' || /connection|timeout|terminated|closed/i.test(error.message);
}

/** Whether a statement failed because the server is a standby, or rejects changes for another reason. */
export const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25006';

/**
 * Whether an error is a unique violation (23505) on this column of a table of the service. Works with every adapter. A
 * table of the application can have a column with the same name.
 */
export function violatesUnique(error: unknown, column: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  if (!['latchkey', null].includes(schemaOf(error))) return false;
  const { detail, data } = error as { detail?: string; data?: { details?: string } };
  return `${detail ?? data?.details ?? ''}`.includes(`(${column})`);
}

/** Whether a statement failed because it would insert null (23502) into this column of a table of the service. */
export function violatesNotNull(error: unknown, table: string, column: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23502') return false;
  const fields = error as { table_name?: string; table?: string; column_name?: string; column?: string };
  return (
    schemaOf(error) === 'latchkey' &&
    (fields.table_name ?? fields.table) === table &&
    (fields.column_name ?? fields.column) === column
  );
}

/** A foreign key of a table that does not belong to the service. */
export interface ForeignKeyOfApplication {
  /** Such as `public.notes`. */
  table: string;
  constraint: string;
}

/**
 * Returns the foreign key of the application that made a deletion fail. Null: the statement failed for another reason.
 * PostgreSQL 18 reports `on delete restrict` with another code (23001).
 */
export function restrictingForeignKey(error: unknown): ForeignKeyOfApplication | null {
  if (!(error instanceof Error) || !('code' in error) || !['23503', '23001'].includes(`${error.code}`))
    return null;
  const schema = schemaOf(error);
  if (schema === null || schema === 'latchkey') return null;
  const fields = error as {
    table_name?: string;
    table?: string;
    constraint_name?: string;
    constraint?: string;
  };
  return {
    table: `${schema}.${fields.table_name ?? fields.table}`,
    constraint: `${fields.constraint_name ?? fields.constraint}`,
  };
}

/** The schema of the table whose constraint a statement violates. Null: the driver does not report the schema. */
const schemaOf = (error: Error): string | null => {
  const { schema_name, schema } = error as { schema_name?: string; schema?: string };
  return schema_name ?? schema ?? null;
};

/** Whether PostgreSQL refused a statement because the role lacks a privilege. */
export const isRefused = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === '42501';

/** Whether a statement failed because a table (42P01) or its schema (3F000) does not exist. */
export const isUndefinedTable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '3F000');

/** Whether a statement failed because a column does not exist. */
export const isUndefinedColumn = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '42703';

/**
 * Whether a statement failed because another transaction holds a lock: after `lock_timeout` (55P03), or in a deadlock
 * (40P01). The error can be the cause of an `unavailable` error.
 */
export const isLockConflict = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === '55P03' || error.code === '40P01')) || isLockConflict(error.cause));
