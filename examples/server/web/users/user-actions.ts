import { isAtLeast, type User } from 'latchkey/client';

/** The actions on a user's account. */
export type UserAction = 'role' | 'recovery' | 'sessions' | 'impersonate' | 'disable' | 'enable' | 'remove';

/** The props of every dialog about a user. */
export interface UserDialogProps {
  user: User;
  onClose: () => void;
  /** What was done, in a sentence. */
  onChanged: (user: User, words: string) => void;
}

/**
 * The actions to offer to `me`. Omits actions that the service would reject. The service checks permissions itself.
 *
 * @param impersonation whether the option `impersonation` is on
 */
export function actionsFor(me: User, user: User, impersonation = false): UserAction[] {
  const isSuperadmin = me.role === 'superadmin';
  // Users manage their own passkeys and sessions in their settings.
  if (me.id === user.id) return isSuperadmin ? ['role'] : [];
  const mayHelp = isSuperadmin || !isAtLeast(user.role, me.role);
  const help: UserAction[] = mayHelp && user.status === 'active' ? ['recovery', 'sessions'] : [];
  if (!isSuperadmin) return help;
  const mayImpersonate = impersonation && user.status === 'active' && user.role !== 'superadmin';
  if (mayImpersonate) help.push('impersonate');
  return ['role', ...help, user.status === 'active' ? 'disable' : 'enable', 'remove'];
}
