import { AuthClientError } from 'latchkey/client';

export interface Explanation {
  tone: 'info' | 'warning' | 'danger';
  title: string;
  body: string;
}

/** What went wrong and what to do, in a person's words. A page passes its own words for codes it knows better. */
export function explain(error: unknown, own: Record<string, Explanation> = {}): Explanation {
  const code = codeOf(error);
  if (code === 'rate_limited') return tooMany(error);
  return own[code] ?? explanations[code] ?? unexpected(error);
}

export const codeOf = (error: unknown): string => (error instanceof AuthClientError ? error.code : '');

const broken: Explanation = {
  tone: 'danger',
  title: 'Something is wrong on our side',
  body: 'Nothing was lost. Wait a moment, then try again.',
};

const explanations: Record<string, Explanation> = {
  network_error: {
    tone: 'danger',
    title: 'The server can’t be reached',
    body: 'Check your internet connection, then try again.',
  },
  unavailable: {
    tone: 'warning',
    title: 'The service is briefly unavailable',
    body: 'Wait a moment, then try again.',
  },
  internal_error: broken,
  invalid_response: broken,
  webauthn_unsupported: {
    tone: 'warning',
    title: 'This browser doesn’t support passkeys',
    body: 'Use a current version of Chrome, Edge, Firefox or Safari. Browsers built into other apps often can’t.',
  },
  insecure_context: {
    tone: 'warning',
    title: 'Passkeys can’t be used at this address',
    body: 'Open the site at its usual address, beginning with https://, then try again.',
  },
  ceremony_cancelled: {
    tone: 'info',
    title: 'Nothing was changed',
    body: 'The passkey prompt was closed or timed out. You can try again whenever you like.',
  },
  ceremony_failed: {
    tone: 'danger',
    title: 'The passkey didn’t work',
    body: 'Your device or security key couldn’t do it. Try again, or use another passkey.',
  },
  authentication_failed: {
    tone: 'danger',
    title: 'That didn’t work',
    body: 'Try again, or use another passkey.',
  },
  not_authenticated: {
    tone: 'warning',
    title: 'Your session has ended',
    body: 'Sign in again to go on.',
  },
};

function tooMany(error: unknown): Explanation {
  const seconds = error instanceof AuthClientError ? error.retryAfterSeconds : undefined;
  const wait = seconds === undefined ? 'in a while' : `in ${duration(seconds)}`;
  return { tone: 'warning', title: 'Too many attempts', body: `Try again ${wait}.` };
}

function duration(seconds: number): string {
  if (seconds <= 1) return 'a second';
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

function unexpected(error: unknown): Explanation {
  if (!(error instanceof AuthClientError)) return broken;
  return { tone: 'danger', title: error.title, body: error.errors?.[0]?.message ?? error.detail ?? '' };
}
