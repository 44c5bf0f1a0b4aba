import { AuthClientError } from 'latchkey/client';
import { broken, type Explanation, explanations, tones } from './explanations.ts';

export type { Explanation };

/**
 * Explains an error. First looks for the reason of the error: in `own`, then in `explanations`. Then looks for the code
 * of the error in the same two places. If both searches fail, uses the error's own title and next step.
 *
 * @param own the page's own explanations. The keys are the reasons or the codes of the errors.
 */
export function explain(error: unknown, own: Record<string, Explanation> = {}): Explanation {
  const code = codeOf(error);
  if (code === 'rate_limited') return { ...tooMany, body: tryAgain(error, own[code]?.body) };
  if (code === 'unavailable') return { ...unavailable, body: tryAgain(error) };
  const reason = error instanceof AuthClientError ? (error.reason ?? '') : '';
  return own[reason] ?? explanations[reason] ?? own[code] ?? explanations[code] ?? inOwnWords(error);
}

export const codeOf = (error: unknown): string => (error instanceof AuthClientError ? error.code : '');

/** Whether the session or the user's role may have changed. Reading the session again then leads to the right page. */
export const isAboutSession = (error: unknown): boolean =>
  ['not_authenticated', 'recovery_session', 'forbidden'].includes(codeOf(error));

const tooMany = { tone: 'warning', title: 'Too many attempts' } as const;
const unavailable = { tone: 'warning', title: 'The service is temporarily unavailable' } as const;

/** For each reason that the service returns: why the new password is rejected, and what to do. */
const passwordFaults: Record<string, string> = {
  too_short: 'Too short. Use more characters.',
  too_long: 'Too long. Use at most 128 characters.',
  malformed: 'It contains a character that can’t be used. Type it again.',
  common: 'Too common, and easy to guess. Choose another one.',
  breached: 'This password is known from a data breach. Choose another one.',
};

/** Why the service rejected a new password. Shown below the field. Null for other errors. */
export function passwordFault(error: unknown): string | null {
  if (!(error instanceof AuthClientError) || error.code !== 'password_unacceptable') return null;
  // Only the service's own message names the configured length.
  if (error.reason === 'too_short' && error.detail) return error.detail;
  return passwordFaults[error.reason ?? ''] ?? 'This password can’t be used. Choose another one.';
}

/** @param orElse an alternative that works now */
function tryAgain(error: unknown, orElse?: string): string {
  const seconds = error instanceof AuthClientError ? error.retryAfterSeconds : undefined;
  const again =
    seconds === undefined || seconds <= 2
      ? 'Wait a moment, then try again.'
      : `Try again in ${duration(seconds)}.`;
  return orElse ? `${again} ${orElse}` : again;
}

/** Rounds up, so that a retry after this time succeeds. */
function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** The error's own title and next step. Removes the period of the title, because headings have no period. */
function inOwnWords(error: unknown): Explanation {
  if (!(error instanceof AuthClientError)) return broken;
  const { code, title, nextStep, detail, errors } = error;
  return {
    tone: tones[code] ?? 'warning',
    title: title.replace(/\.$/, ''),
    // The reason of the application is more precise than the general next step.
    body: errors?.[0]?.message ?? (code === 'sign_up_refused' ? detail : nextStep) ?? detail ?? '',
  };
}
