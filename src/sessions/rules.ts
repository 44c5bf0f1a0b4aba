import { AuthError } from '../core/errors.ts';
import type { ReadSession } from '../core/session.ts';

/** @throws AuthError `recovery_session`: a session of that kind may only do what recovers the account */
export function requireFull({ session }: ReadSession): void {
  if (session.kind === 'recovery') throw new AuthError('recovery_session');
}

/** @throws AuthError `recovery_session` | `reauthentication_required` */
export function requireFreshFull(read: ReadSession): void {
  requireFull(read);
  requireFresh(read);
}

/** A recovery session has just been opened with a secret, and lives for an hour: it counts as fresh. */
export function requireFreshOrRecovering(read: ReadSession): void {
  if (read.session.kind !== 'recovery') requireFresh(read);
}

/** @throws AuthError `reauthentication_required` where the last proof of presence is too old (ASVS 7.5.1) */
function requireFresh({ fresh }: ReadSession): void {
  if (!fresh) throw new AuthError('reauthentication_required');
}
