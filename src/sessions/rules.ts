import type { Configuration } from '../core/config.ts';
import { AuthError } from '../core/errors.ts';
import type { ReadSession, SessionMethod } from '../core/session.ts';

export type SessionObstacle =
  | 'recovery_session'
  | 'impersonating'
  | 'passkey_required'
  | 'reauthentication_required';

/**
 * Whether a session with this method of authentication is privileged (see `ReadSession`). A password can be
 * phished, guessed and stolen. So if the user has a passkey, a session that was authenticated with the
 * password has no rights over others, and cannot change the sign-in methods.
 */
export const isPrivileged = (
  { privilegedMethods }: Pick<Configuration, 'privilegedMethods'>,
  { method, hasUnusedPasskey }: { method: SessionMethod; hasUnusedPasskey: boolean },
): boolean => !hasUnusedPasskey && privilegedMethods.some((privileged) => privileged === method);

/** Returns null for a full session. For another session, returns the obstacle. */
export const obstacleToFull = ({ session }: Pick<ReadSession, 'session'>): SessionObstacle | null =>
  session.kind === 'recovery' ? 'recovery_session' : null;

/** Returns the obstacle for an impersonated session. Returns null for any other session. */
export const obstacleToOwn = ({ session }: Pick<ReadSession, 'session'>): SessionObstacle | null =>
  session.impersonator === null ? null : 'impersonating';

/** Returns null for a privileged full session. Otherwise, returns the obstacle. */
export const obstacleToPrivileged = (read: ReadSession): SessionObstacle | null =>
  obstacleToFull(read) ?? obstacleToOwn(read) ?? (read.privileged ? null : 'passkey_required');

/**
 * Returns null for a privileged session with fresh authentication (ASVS 7.5.1). Otherwise, returns the
 * obstacle. The obstacle `passkey_required` comes first, because a step-up with the passkey removes both
 * obstacles.
 */
export const obstacleToFresh = (read: ReadSession): SessionObstacle | null =>
  obstacleToPrivileged(read) ?? obstacleOfAge(read);

/**
 * Returns null for a recovery session, and for a session with fresh authentication that can add a passkey. Otherwise,
 * returns the obstacle.
 *
 * A recovery session needs no fresh authentication, because a recovery code or a recovery link has opened the session
 * within the last hour. A session that is not privileged can add the first passkey of the account.
 */
export function obstacleToFreshOrRecovering(read: ReadSession): SessionObstacle | null {
  if (read.session.kind === 'recovery') return null;
  const obstacle = obstacleToOwn(read);
  if (obstacle) return obstacle;
  return read.hasUnusedPasskey ? 'passkey_required' : obstacleOfAge(read);
}

const obstacleOfAge = ({ fresh }: ReadSession): SessionObstacle | null =>
  fresh ? null : 'reauthentication_required';

/** @throws AuthError with the obstacle as its code */
export function requireNo(obstacle: SessionObstacle | null): void {
  if (obstacle) throw new AuthError(obstacle);
}
