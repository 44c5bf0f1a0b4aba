import { AuthError } from 'latchkey';
import { recordBug } from '../bug.ts';
import { isSqlError, isUnreachable } from '../database-error.ts';

export const unreachableText = 'The database is unreachable. Retrying…';

/** Why the data on a screen is not current. */
export const pollErrorText = (error: unknown): string =>
  isUnreachable(error) ? unreachableText : errorText(error);

/** What went wrong, and what to do about it. */
export function errorText(error: unknown): string {
  if (isUnreachable(error)) return 'The database is unreachable. Try again, or open Doctor.';
  if (isSqlError(error)) return `PostgreSQL reports an error: ${error.message}. Open Doctor.`;
  if (!(error instanceof AuthError)) return `${recordBug(error).message}. Quit to see the stack.`;
  const { message, nextStep, errors } = error;
  const faults = errors?.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return [message, faults, nextStep].filter(Boolean).join(' ');
}
