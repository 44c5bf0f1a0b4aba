import { AuthError } from '../core/errors.ts';
import type { ReadSession } from '../core/session.ts';

export type SessionObstacle = 'recovery_session' | 'reauthentication_required';

/** Why a session cannot do what needs a full session, or null. */
export const obstacleToFull = ({ session }: ReadSession): SessionObstacle | null =>
  session.kind === 'recovery' ? 'recovery_session' : null;

/** Why a session cannot do what needs fresh authentication (ASVS 7.5.1), or null. */
export const obstacleToFresh = (read: ReadSession): SessionObstacle | null =>
  obstacleToFull(read) ?? (read.fresh ? null : 'reauthentication_required');

/** As `obstacleToFresh`. A recovery session counts as fresh: a secret has just opened it, and it lives for an hour. */
export const obstacleToFreshOrRecovering = (read: ReadSession): SessionObstacle | null =>
  read.session.kind === 'recovery' || read.fresh ? null : 'reauthentication_required';

/** @throws AuthError with the code of the obstacle */
export function requireNo(obstacle: SessionObstacle | null): void {
  if (obstacle) throw new AuthError(obstacle);
}
