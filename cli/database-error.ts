import { AuthError, DatabaseError } from 'latchkey';

/** Node's socket and name-resolution errors, and the connection errors of postgres.js. */
const connectionCode =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/;
/** Does not match the codes of system errors, such as EPIPE. These codes begin with E, but a SQLSTATE never does. */
const sqlState = /^(?!E)[\dA-Z]{5}$/;

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether the database is unreachable or does not respond in time. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof DatabaseError ||
  (error instanceof AuthError ? error.code === 'unavailable' : connectionCode.test(codeOf(error)));

/** Whether PostgreSQL returned an error. */
export const isSqlError = (error: unknown): error is Error =>
  !(error instanceof AuthError) && sqlState.test(codeOf(error));
