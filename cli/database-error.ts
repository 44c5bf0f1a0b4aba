import { AuthError } from 'latchkey';

/** Node's socket and name-resolution errors, and the connection errors of postgres.js. */
const connectionCode =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/;
/** PostgreSQL has no SQLSTATE class that begins with E; the names of system errors do. */
const sqlState = /^(?!E)[\dA-Z]{5}$/;

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether the database could not be reached or did not answer in time. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof AuthError ? error.code === 'unavailable' : connectionCode.test(codeOf(error));

/** Whether PostgreSQL answered with an error. */
export const isSqlError = (error: unknown): error is Error =>
  !(error instanceof AuthError) && sqlState.test(codeOf(error));
