import { AuthError } from '../core/errors.ts';
import type { ReadSession } from '../core/session.ts';

export type SessionObstacle = 'recovery_session' | 'reauthentication_required';

/** Returns null for a full session. For another session, returns the obstacle. */
export const obstacleToFull = ({ session }: ReadSession): SessionObstacle | null =>
  session.kind === 'recovery' ? 'recovery_session' : null;

/** Returns null for a full session with fresh authentication (ASVS 7.5.1). Otherwise, returns the obstacle. */
export const obstacleToFresh = (read: ReadSession): SessionObstacle | null =>
  obstacleToFull(read) ?? (read.fresh ? null : 'reauthentication_required');

/**
 * Returns null for a session with fresh authentication, and for a recovery session. Otherwise, returns the obstacle. A
 * recovery session needs no fresh authentication, because a recovery code or a recovery link has opened the session
 * within the last hour.
 */
export const obstacleToFreshOrRecovering = (read: ReadSession): SessionObstacle | null =>
  read.session.kind === 'recovery' || read.fresh ? null : 'reauthentication_required';

/** @throws AuthError with the obstacle as its code */
export function requireNo(obstacle: SessionObstacle | null): void {
  if (obstacle) throw new AuthError(obstacle);
}
