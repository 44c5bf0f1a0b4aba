import { AuthError, ConfigurationError, type ErrorCode, SchemaError } from 'latchkey';
import { bugReportRequest, describeBug } from './bug.ts';
import { codeOf, isSqlError, isUnreachable } from './database-error.ts';
import { exitCodes } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

/** How an error is reported to the operator. */
export interface Explanation {
  /** For scripts that need more than the exit code. */
  code: string;
  message: string;
  /** What to do about it. */
  next?: string | undefined;
  /** How the command is used. Printed as text only. */
  help?: string | undefined;
  /** Where a bug occurred. */
  stack?: string | undefined;
  exitCode: number;
}

const unusableInput: readonly ErrorCode[] = [
  'invalid_request',
  'username_unacceptable',
  'password_unacceptable',
];

const nextSteps: Partial<Record<ErrorCode, string>> = {
  already_bootstrapped:
    'List superadmins with `latchkey users list --role superadmin`. If none of them is active, run `latchkey bootstrap --again`.',
  username_taken: 'Choose another username.',
  last_superadmin: 'Make another user a superadmin first: latchkey users change-role <username> superadmin',
  account_disabled: 'Enable it first: latchkey users enable <username>',
  invitation_already_accepted:
    'Change the role of the user instead: latchkey users change-role <username> user',
};

const notFound = 'Not found: no user, organization or invitation has that name or ID.';

const reasons: Record<string, string> = {
  invalid: 'A username has 3 to 32 characters: a to z, 0 to 9 and, except at the ends, . _ -',
  reserved: 'This username is reserved. Choose another one.',
};

/** Explains an error to an operator. Only a bug in Latchkey comes with a stack. */
export function explain(error: unknown): Explanation {
  if (error instanceof UsageError)
    return { code: 'usage', message: error.message, help: error.help, exitCode: exitCodes.unusable };
  if (error instanceof ConfigurationError)
    return { code: 'configuration', message: error.message, exitCode: exitCodes.unusable };
  if (error instanceof SchemaError) return explainSchema(error);
  if (error instanceof AuthError) return explainAuthError(error);
  if (isSqlError(error)) return explainSqlError(error);
  if (isUnreachable(error)) return unusableDatabase(error);
  if (isSystemError(error)) return { code: 'failed', message: error.message, exitCode: exitCodes.stopped };
  return { code: 'bug', ...describeBug(error), next: bugReportRequest, exitCode: exitCodes.bug };
}

/** A file, a folder or a program that the system refused; the embedded PostgreSQL reports the same. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && ('syscall' in error || error.name === 'EmbeddedPostgresError');

function explainSqlError(error: Error): Explanation {
  if (codeOf(error) === '42501') {
    return {
      code: 'permission',
      message: `The role in DATABASE_URL lacks a privilege: ${error.message}`,
      next: 'Grant the privilege, or use a role that owns the database.',
      exitCode: exitCodes.database,
    };
  }
  return {
    code: 'database',
    message: `PostgreSQL reports an error: ${error.message} (SQLSTATE ${codeOf(error)})`,
    next: 'Find out why with `latchkey doctor`.',
    exitCode: exitCodes.database,
  };
}

function unusableDatabase(cause: unknown): Explanation {
  const reason = cause instanceof Error ? cause.message || cause.name : 'no answer';
  return {
    code: 'unavailable',
    message: `The database cannot be used: ${reason}`,
    next: 'Find out why with `latchkey doctor`.',
    exitCode: exitCodes.database,
  };
}

function explainSchema(error: SchemaError): Explanation {
  const next = error.code === 'schema_outdated' ? 'Run `latchkey migrate`.' : undefined;
  const message = error.code === 'schema_outdated' ? 'The database schema is not up to date.' : error.message;
  return { code: error.code, message, next, exitCode: exitCodes.database };
}

function explainAuthError(error: AuthError): Explanation {
  const { code, reason, cause, message, errors = [] } = error;
  if (code === 'unavailable' && cause !== undefined) return unusableDatabase(cause);
  if (code === 'unavailable') return { code, message, next: 'Try again.', exitCode: exitCodes.database };
  const faults = errors.map(({ path, message }) => `${path}: ${message}`);
  const text = code === 'not_found' ? notFound : [message, ...faults].join(' ');
  const next = nextSteps[code] ?? (reason === undefined ? undefined : reasons[reason]);
  const exitCode = unusableInput.includes(code) ? exitCodes.unusable : exitCodes.refused;
  return { code, message: text, next, exitCode };
}
