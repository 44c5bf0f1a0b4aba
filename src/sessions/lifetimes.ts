import type { Configuration } from '../core/config.ts';
import type { Lifetimes } from '../core/config-lifetimes.ts';
import type { SessionKind } from '../core/session.ts';
import type { Role } from '../core/user.ts';

// Long enough to find another device and create a passkey on it.
const recoverySeconds = 60 * 60;

/** Returns the lifetimes of a session of this kind and role. A recovery session lives for at most an hour. */
export function lifetimesOf(
  kind: SessionKind,
  role: Role,
  { sessionLifetimes }: Pick<Configuration, 'sessionLifetimes'>,
): Lifetimes {
  const maxSeconds = kind === 'recovery' ? recoverySeconds : Number.POSITIVE_INFINITY;
  const { ttlSeconds, idleSeconds } = sessionLifetimes[role];
  return { ttlSeconds: Math.min(maxSeconds, ttlSeconds), idleSeconds: Math.min(maxSeconds, idleSeconds) };
}

/** The shortest time between two recorded uses of a session: a minute, or less if an idle timeout is short. */
export const touchSeconds = ({ sessionLifetimes }: Pick<Configuration, 'sessionLifetimes'>): number =>
  Math.min(60, ...Object.values(sessionLifetimes).map(({ idleSeconds }) => idleSeconds / 4));
