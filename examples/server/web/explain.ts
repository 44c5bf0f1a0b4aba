import { AuthClientError } from 'latchkey/client';
import { broken, type Explanation, explanations } from './explanations.ts';

export type { Explanation };

/**
 * What went wrong and what to do, in a person's words. A page passes its own words for codes it knows better; a reason
 * says more than a code.
 */
export function explain(error: unknown, own: Record<string, Explanation> = {}): Explanation {
  const code = codeOf(error);
  if (code === 'rate_limited') return { ...tooMany, body: tryAgain(error, own[code]?.body) };
  if (code === 'unavailable') return { ...unavailable, body: tryAgain(error) };
  const reason = error instanceof AuthClientError ? (error.reason ?? '') : '';
  return own[reason] ?? explanations[reason] ?? own[code] ?? explanations[code] ?? unexpected(error);
}

export const codeOf = (error: unknown): string => (error instanceof AuthClientError ? error.code : '');

/** Whether the session, or its role, is not what this page took it for: reading it again leads to where it belongs. */
export const isAboutSession = (error: unknown): boolean =>
  ['not_authenticated', 'recovery_session', 'forbidden'].includes(codeOf(error));

const tooMany = { tone: 'warning', title: 'Too many attempts' } as const;
const unavailable = { tone: 'warning', title: 'The service is briefly unavailable' } as const;

/** Why a password cannot be had, by the service's reason, and what to do instead. */
const passwordFaults: Record<string, string> = {
  too_short: 'Too short. Use at least 8 characters.',
  too_long: 'Too long. Use at most 72 characters, fewer with accents or emoji.',
  malformed: 'It contains a character that can’t be used. Type it again.',
  common: 'Too common: it’s among the first that anyone would guess. Choose another one.',
  breached: 'It has turned up in a data breach somewhere, so attackers try it. Choose another one.',
};

/** What the line below a new password says when the service will not have it; null where something else is wrong. */
export function passwordFault(error: unknown): string | null {
  if (!(error instanceof AuthClientError) || error.code !== 'password_unacceptable') return null;
  return passwordFaults[error.reason ?? ''] ?? 'This password can’t be used. Choose another one.';
}

/** @param orElse what else can be done meanwhile */
function tryAgain(error: unknown, orElse?: string): string {
  const seconds = error instanceof AuthClientError ? error.retryAfterSeconds : undefined;
  const again =
    seconds === undefined || seconds <= 2
      ? 'Wait a moment, then try again.'
      : `Try again in ${duration(seconds)}.`;
  return orElse ? `${again} ${orElse}` : again;
}

/** Rounded up: who waits this long has waited long enough. */
function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function unexpected(error: unknown): Explanation {
  if (!(error instanceof AuthClientError)) return broken;
  return { tone: 'danger', title: error.title, body: error.errors?.[0]?.message ?? error.detail ?? '' };
}
