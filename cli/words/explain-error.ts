import { AuthError, type ErrorCode } from 'latchkey';

export const isUnanswered = 'The database does not answer; trying again.';

/** Why a list is not being kept current. */
export function troubleWords(error: unknown): string {
  if (error instanceof AuthError && error.code !== 'unavailable' && error.code !== 'internal_error')
    return errorWords(error);
  return isUnanswered;
}

/** What went wrong, and what to do about it. */
export function errorWords(error: unknown): string {
  if (!(error instanceof AuthError)) return 'That did not work: the database does not answer. Try again.';
  const { code, message, errors } = error;
  const faults = errors?.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return [faults ? `${message} ${faults}` : message, nextSteps[code]].filter(Boolean).join(' ');
}

const nextSteps: Partial<Record<ErrorCode, string>> = {
  username_unacceptable: 'It takes 3 to 32 of a-z, 0-9 and, inside, . _ -',
  username_taken: 'Choose another one.',
  last_superadmin: 'Make somebody else a superadmin first.',
  already_bootstrapped: 'Look under Users.',
  role_already_held: 'Look under Users.',
  invitation_already_accepted: 'Change their role under Users.',
  not_found: 'It may have been removed meanwhile.',
  unavailable: 'Try again in a moment; the doctor may know more.',
  internal_error: 'Try again; the doctor may know more.',
};
