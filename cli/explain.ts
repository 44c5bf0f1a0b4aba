import { AuthError, ConfigurationError, type ErrorCode, SchemaError } from 'latchkey';
import { exitCodes } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

/** What an operator reads when something did not work. */
export interface Explanation {
  /** For scripts that look closer than at the exit code. */
  code: string;
  message: string;
  /** What to do about it. */
  next?: string | undefined;
  /** How the command is used, for people. */
  help?: string | undefined;
  exitCode: number;
}

const unusableInput: readonly ErrorCode[] = [
  'invalid_request',
  'username_unacceptable',
  'password_unacceptable',
];

const nextSteps: Partial<Record<ErrorCode, string>> = {
  already_bootstrapped:
    'See who it is with `latchkey users list --role superadmin`. Where none is left that is active, `latchkey bootstrap --again` makes one.',
  username_taken: 'Choose another name.',
  last_superadmin: 'Make somebody else a superadmin first: latchkey users role <username> superadmin',
  account_disabled: 'Enable it first: latchkey users enable <username>',
  invitation_already_accepted: 'Take the role back instead: latchkey users role <username> user',
};

const reasons: Record<string, string> = {
  invalid: 'A username has 3 to 32 characters: a to z, 0 to 9, and . _ - inside.',
  reserved: 'This name is reserved.',
};

/** Turns whatever was thrown into words, without a stack. */
export function explain(error: unknown): Explanation {
  if (error instanceof UsageError)
    return { code: 'usage', message: error.message, help: error.help, exitCode: exitCodes.unusable };
  if (error instanceof ConfigurationError)
    return { code: 'configuration', message: error.message, exitCode: exitCodes.unusable };
  if (error instanceof SchemaError) return explainSchema(error);
  if (error instanceof AuthError) return explainAuthError(error);
  if (hasCode(error, '42501')) {
    return {
      code: 'permission',
      message: `The role in DATABASE_URL may not do this: ${error.message}`,
      next: 'Grant it the right, or use a role that owns the database.',
      exitCode: exitCodes.database,
    };
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  return { code: 'failed', message, exitCode: exitCodes.failed };
}

function explainSchema(error: SchemaError): Explanation {
  const next = error.code === 'schema_outdated' ? 'Run `latchkey migrate`.' : undefined;
  const message = error.code === 'schema_outdated' ? 'The database schema is not up to date.' : error.message;
  return { code: error.code, message, next, exitCode: exitCodes.database };
}

function explainAuthError(error: AuthError): Explanation {
  const { code, reason, cause, message } = error;
  if (code === 'unavailable') {
    const told = cause instanceof Error ? cause.message || cause.name : 'no answer';
    return {
      code,
      message: `The database cannot be used: ${told}`,
      next: 'Find out why with `latchkey doctor`.',
      exitCode: exitCodes.database,
    };
  }
  const words = code === 'not_found' ? 'Nobody and nothing has that name or id.' : message;
  const next = nextSteps[code] ?? (reason === undefined ? undefined : reasons[reason]);
  const exitCode = unusableInput.includes(code) ? exitCodes.unusable : exitCodes.refused;
  return { code, message: words, next, exitCode };
}

const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === code;
