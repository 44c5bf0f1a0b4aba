import { AuthError, ConfigurationError, DatabaseError, type ErrorCode, SchemaError } from 'latchkey';
import { bugReportRequest, describeBug } from './bug.ts';
import { codeOf, isSqlError, isUnreachable } from './database-error.ts';
import { exitCodes } from './exit-codes.ts';
import { SettingsError } from './settings-error.ts';
import { UsageError } from './usage-error.ts';

/** How an error is reported to the operator. */
export interface Explanation {
  /** For scripts that need more than the exit code. */
  code: string;
  message: string;
  /** What to do about it. */
  next?: string | undefined;
  /** How the command is used. Not part of the JSON output. */
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

/** The command for the next step after an error. */
const commands: Partial<Record<ErrorCode, string>> = {
  last_superadmin: 'latchkey users change-role <username> superadmin',
  account_disabled: 'latchkey users enable <username>',
  invitation_already_accepted: 'latchkey users change-role <username> user',
};

/** Explains an error to an operator. The explanation contains a stack only if the error is a bug in Latchkey. */
export function explain(error: unknown): Explanation {
  if (error instanceof UsageError)
    return { code: 'usage', message: error.message, help: error.help, exitCode: exitCodes.unusable };
  if (error instanceof ConfigurationError)
    return { code: 'configuration', message: error.message, exitCode: exitCodes.unusable };
  if (error instanceof SettingsError) return explainSettings(error);
  if (error instanceof DatabaseError) return explainDatabaseError(error);
  if (error instanceof SchemaError) return explainSchema(error);
  if (missingPackageIn(error) !== null) return explainMissingPackage(missingPackageIn(error) ?? '');
  if (error instanceof AuthError) return explainAuthError(error);
  if (isSqlError(error)) return explainSqlError(error);
  if (isUnreachable(error)) return unusableDatabase(error);
  if (isSystemError(error)) return { code: 'failed', message: faultOf(error), exitCode: exitCodes.stopped };
  return { code: 'bug', ...describeBug(error), next: bugReportRequest, exitCode: exitCodes.bug };
}

/** Whether the error comes from the embedded PostgreSQL or from the operating system, such as a failed file write. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && ('syscall' in error || error.name === 'EmbeddedPostgresError');

/** The message of a file system error, without its code and the system call: `proof.txt: no such file or directory`. */
const faultOf = (error: Error): string => {
  const [, reason] = /^E[A-Z]+: (.+?), \w+(?: '|$)/.exec(error.message) ?? [];
  return reason !== undefined && 'path' in error ? `${error.path}: ${reason}` : error.message;
};

const explainSettings = ({ message, next }: SettingsError): Explanation => ({
  code: 'configuration',
  message,
  next,
  exitCode: exitCodes.unusable,
});

const explainDatabaseError = ({ code, problem, nextStep }: DatabaseError): Explanation => ({
  code: code === 'rights_missing' ? 'permission' : 'unavailable',
  message: `The database cannot be used: ${problem}.`,
  next: `${nextStep}.`,
  exitCode: exitCodes.database,
});

/** The package that Node.js did not find, such as the peer koa. */
function missingPackageIn(error: unknown): string | null {
  if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') return null;
  return /^Cannot find package '([^']+)'/.exec((error as Error).message)?.[1] ?? null;
}

const explainMissingPackage = (name: string): Explanation => ({
  code: 'package_missing',
  message: `The package ${name} is not installed.`,
  next: `Run \`npm install ${name}\`.`,
  exitCode: exitCodes.unusable,
});

function explainSqlError(error: Error): Explanation {
  if (codeOf(error) === '42501') {
    return {
      code: 'permission',
      message: `The role in DATABASE_URL lacks a privilege: ${error.message}`,
      next: 'As the owner of the schema (MIGRATION_DATABASE_URL), run `latchkey migrate --service-role=<role>`.',
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
  const { code, cause, message, nextStep, errors = [] } = error;
  if (code === 'unavailable' && cause !== undefined) return unusableDatabase(cause);
  const faults = errors.map(({ path, message }) => `${path}: ${message}`);
  const command = commands[code];
  return {
    code,
    message: [message, ...faults].join(' '),
    next: command ? `${nextStep} Run \`${command}\`.` : nextStep,
    exitCode: exitCodeOf(code),
  };
}

function exitCodeOf(code: ErrorCode): number {
  if (code === 'unavailable') return exitCodes.database;
  return unusableInput.includes(code) ? exitCodes.unusable : exitCodes.refused;
}
