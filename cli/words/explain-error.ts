import { AuthError, type ErrorCode } from 'latchkey';
import { recordBug } from '../bug.ts';
import { isSqlError, isUnreachable } from '../database-error.ts';

export const unreachableText = 'The database is unreachable. Retrying…';

/** Why a list is not current. */
export const pollErrorText = (error: unknown): string =>
  isUnreachable(error) ? unreachableText : errorText(error);

/** What went wrong, and what to do about it. */
export function errorText(error: unknown): string {
  if (isUnreachable(error)) return 'The database is unreachable. Try again, or open Doctor.';
  if (isSqlError(error)) return `PostgreSQL reports an error: ${error.message}. Open Doctor.`;
  if (!(error instanceof AuthError)) return `${recordBug(error).message}. Quit to see the stack.`;
  const { code, message, errors } = error;
  const faults = errors?.map(({ path, message }) => `${path}: ${message}`).join('; ');
  if (code === 'not_found') return 'Not found: this user or invitation does not exist.';
  return [faults ? `${message} ${faults}` : message, nextSteps[code]].filter(Boolean).join(' ');
}

const nextSteps: Partial<Record<ErrorCode, string>> = {
  username_unacceptable: 'Use 3 to 32 of a-z, 0-9 and, except at the ends, . _ -',
  username_taken: 'Choose another username.',
  last_superadmin: 'Make another user a superadmin first.',
  already_bootstrapped: 'Look under Users.',
  role_already_held: 'Look under Users.',
  invitation_already_accepted: 'Change the role under Users.',
  internal_error: 'Try again, or open Doctor.',
};
