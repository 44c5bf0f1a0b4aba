import type { Configuration } from '../core/config.ts';
import type { SessionKind } from '../core/session.ts';

export interface Lifetimes {
  /** The longest, from its beginning. */
  ttlSeconds: number;
  /** Between two uses. */
  idleSeconds: number;
}

// Long enough to find another device and make a passkey on it.
const recoverySeconds = 60 * 60;

/** How long a session of that kind lives; one for recovery an hour at most. */
export function lifetimesOf(
  kind: SessionKind,
  { sessionTtlSeconds, sessionIdleTimeoutSeconds }: Configuration,
): Lifetimes {
  const most = kind === 'recovery' ? recoverySeconds : Number.POSITIVE_INFINITY;
  return {
    ttlSeconds: Math.min(most, sessionTtlSeconds),
    idleSeconds: Math.min(most, sessionIdleTimeoutSeconds),
  };
}
