import { AuthError } from '../core/errors.ts';
import type { ReadSession } from '../core/session.ts';

export type SessionObstacle = 'recovery_session' | 'reauthentication_required';

/** Why the session is not a full session, or null. */
export const obstacleToFull = ({ session }: ReadSession): SessionObstacle | null =>
  session.kind === 'recovery' ? 'recovery_session' : null;

/** Why the session is not a full session with fresh authentication (ASVS 7.5.1), or null. */
export const obstacleToFresh = (read: ReadSession): SessionObstacle | null =>
  obstacleToFull(read) ?? (read.fresh ? null : 'reauthentication_required');

/**
 * Why the session is neither freshly authenticated nor a recovery session, or null. A recovery session needs no fresh
 * authentication: a recovery code or link opened it at most an hour ago.
 */
export const obstacleToFreshOrRecovering = (read: ReadSession): SessionObstacle | null =>
  read.session.kind === 'recovery' || read.fresh ? null : 'reauthentication_required';

/** @throws AuthError with the code of the obstacle */
export function requireNo(obstacle: SessionObstacle | null): void {
  if (obstacle) throw new AuthError(obstacle);
}
