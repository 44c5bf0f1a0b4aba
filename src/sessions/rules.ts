import { AuthError } from '../core/errors.ts';
import type { ReadSession } from './session.ts';

/** @throws AuthError `recovery_session`: a session of that kind may only do what recovers the account */
export function requireFull({ session }: ReadSession): void {
  if (session.kind === 'recovery') throw new AuthError('recovery_session');
}

/** @throws AuthError `reauthentication_required` where the last proof of presence is too old (ASVS 7.5.1) */
export function requireFreshAuthentication({ fresh }: ReadSession): void {
  if (!fresh) throw new AuthError('reauthentication_required');
}
