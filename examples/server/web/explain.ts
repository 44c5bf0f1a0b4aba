import { AuthClientError } from 'latchkey/client';
import { broken, type Explanation, explanations, tones } from './explanations.ts';
import { problemText, t, texts } from './messages/text.ts';

export { type Explanation, explanation } from './explanations.ts';

/**
 * Explains an error. First looks for the reason of the error: in `own`, then in `explanations`. Then looks for the code
 * of the error in the same two places. If both searches fail, uses the error's own title and next step.
 *
 * @param own the page's own explanations. The keys are the reasons or the codes of the errors.
 */
export function explain(error: unknown, own: Record<string, Explanation> = {}): Explanation {
  const code = codeOf(error);
  if (code === 'rate_limited')
    return { tone: 'warning', title: t('errors.tooManyTitle'), body: tryAgain(error, own[code]?.body) };
  if (code === 'unavailable')
    return { tone: 'warning', title: t('errors.unavailableTitle'), body: tryAgain(error) };
  const reason = error instanceof AuthClientError ? (error.reason ?? '') : '';
  return own[reason] ?? explanations[reason] ?? own[code] ?? explanations[code] ?? inOwnWords(error);
}

export const codeOf = (error: unknown): string => (error instanceof AuthClientError ? error.code : '');

/** Whether the session or the user's role may have changed. Reading the session again then leads to the right page. */
export const isAboutSession = (error: unknown): boolean =>
  ['not_authenticated', 'recovery_session', 'forbidden'].includes(codeOf(error));

/** For each reason that the service returns: why the new password is rejected, and what to do. */
const passwordFaults: Readonly<Record<string, string>> = texts({
  too_short: 'errors.passwordTooShort',
  too_long: 'errors.passwordTooLong',
  malformed: 'errors.passwordMalformed',
  common: 'errors.passwordCommon',
  breached: 'errors.passwordBreached',
});

/** Why the service rejected a new password. Shown below the field. Null for other errors. */
export function passwordFault(error: unknown): string | null {
  if (!(error instanceof AuthClientError) || error.code !== 'password_unacceptable') return null;
  // Only the service's own message names the configured length.
  const minimum = /\d+/.exec(error.detail ?? '')?.[0];
  if (error.reason === 'too_short' && minimum) return t('errors.passwordMinimum', { minimum });
  return passwordFaults[error.reason ?? ''] ?? t('errors.passwordUnusable');
}

/** @param alternative what the user can do now */
function tryAgain(error: unknown, alternative?: string): string {
  const seconds = error instanceof AuthClientError ? error.retryAfterSeconds : undefined;
  const again =
    seconds === undefined || seconds <= 2
      ? t('errors.waitThenTry')
      : t('errors.tryAgainIn', { duration: duration(seconds) });
  return alternative ? `${again} ${alternative}` : again;
}

/** Rounds up, so that a retry after this time succeeds. */
function duration(seconds: number): string {
  if (seconds < 90) return t('errors.seconds', { count: seconds });
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90
    ? t('errors.minutes', { count: minutes })
    : t('errors.hours', { count: Math.ceil(minutes / 60) });
}

/** The error's own title and next step. Removes the period of the title, because headings have no period. */
function inOwnWords(error: unknown): Explanation {
  if (!(error instanceof AuthClientError)) return broken;
  const { code, reason, detail, errors } = error;
  const tone = tones[code] ?? 'warning';
  const translated = problemText(code, reason);
  // The application gives these details, in its own language. They are more precise than the general next step.
  const isOfApplication = code === 'sign_up_refused' || reason === 'refused_by_application';
  const given = isOfApplication || (code === 'authenticator_not_allowed' && !translated) ? detail : undefined;
  if (translated) return { tone, title: translated.title, body: given ?? translated.nextStep };
  return {
    tone,
    title: error.title.replace(/\.$/, ''),
    body: errors?.[0]?.message ?? given ?? error.nextStep ?? detail ?? '',
  };
}
