import type { Configuration } from '../core/config.ts';
import type { SessionKind } from '../core/session.ts';

export interface Lifetimes {
  /** From the sign-in to the absolute expiry. */
  ttlSeconds: number;
  /** From the last use to the idle expiry. */
  idleSeconds: number;
}

// Long enough to find another device and create a passkey on it.
const recoverySeconds = 60 * 60;

/** Returns the lifetimes of a session of this kind. A recovery session lives for at most an hour. */
export function lifetimesOf(
  kind: SessionKind,
  { sessionTtlSeconds, sessionIdleTimeoutSeconds }: Configuration,
): Lifetimes {
  const maxSeconds = kind === 'recovery' ? recoverySeconds : Number.POSITIVE_INFINITY;
  return {
    ttlSeconds: Math.min(maxSeconds, sessionTtlSeconds),
    idleSeconds: Math.min(maxSeconds, sessionIdleTimeoutSeconds),
  };
}
