import { AuthClientError } from '../client/index.ts';
import type { Messages } from './messages/en.ts';
import type { ErrorText, ErrorTexts } from './messages/error-texts.ts';

export type Tone = 'info' | 'warning' | 'danger';

/** What went wrong, what to do next, and how serious it is. */
export interface Explanation extends ErrorText {
  tone: Tone;
}

interface Words {
  messages: Messages;
  /** The texts of this action, by code. */
  own: ErrorTexts;
  language: string;
  /** What the user can do instead of waiting after too many attempts. */
  orElse?: string | undefined;
}

const dangers = new Set([
  'network_error',
  'internal_error',
  'ceremony_failed',
  'registration_failed',
  'username_taken',
  'username_unacceptable',
]);

/** A failed authentication is an error, except that a removed passkey (`unknown_credential`) is a warning. */
const toneOf = (code: string, reason: string | undefined): Tone => {
  if (code === 'ceremony_canceled' || code === 'passkey_exists') return 'info';
  if (code === 'authentication_failed') return reason === 'unknown_credential' ? 'warning' : 'danger';
  return dangers.has(code) ? 'danger' : 'warning';
};

/** Explains an error in the language of the element. If `messages` has no text for it, uses the error's own text. */
export function explain(error: unknown, words: Words): Explanation {
  const { messages, own } = words;
  if (!(error instanceof AuthClientError) || error.code === 'invalid_response')
    return { tone: 'danger', ...textOf('internal_error', messages) };
  const { code, reason, title, nextStep, detail, errors: [fault] = [] } = error;
  const tone = toneOf(code, reason);
  if (code === 'rate_limited') return { tone, title: messages.tooManyAttempts, body: retry(error, words) };
  if (code === 'unavailable') return { tone, title: messages.unavailable, body: retry(error, words) };
  const text = messages.errors[reason ?? ''] ?? own[code] ?? messages.errors[code];
  // The application gives these details, which are more precise than the general text.
  const isOfApplication = code === 'sign_up_refused' || reason === 'refused_by_application';
  const specific = isOfApplication || (code === 'authenticator_not_allowed' && !text) ? detail : undefined;
  if (text) return { tone, title: text.title, body: specific ?? text.body };
  // The path is for a value that the form does not show, for example a missing own field.
  const invalid = fault && (fault.path ? `${fault.path}: ${fault.message}` : fault.message);
  const body = specific ?? invalid ?? nextStep ?? detail ?? '';
  return { tone, title: title.replace(/\.$/, ''), body };
}

const textOf = (code: string, { errors }: Messages): ErrorText => errors[code] ?? { title: '', body: '' };

function retry({ code, retryAfterSeconds }: AuthClientError, { messages, language, orElse }: Words): string {
  const again =
    retryAfterSeconds === undefined || retryAfterSeconds <= 2
      ? messages.waitAMoment
      : messages.tryAgainIn.replace('{time}', duration(retryAfterSeconds, language));
  return orElse && code === 'rate_limited' ? `${again} ${orElse}` : again;
}

/** Rounds up, so that a retry after this time succeeds. */
function duration(seconds: number, language: string): string {
  const [value, unit] =
    seconds < 90
      ? ([seconds, 'second'] as const)
      : seconds <= 5_340
        ? ([Math.ceil(seconds / 60), 'minute'] as const)
        : ([Math.ceil(seconds / 3_600), 'hour'] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Whether the error comes from the client and has one of these codes. */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof AuthClientError && codes.includes(error.code);
