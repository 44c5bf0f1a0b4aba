import type { User } from 'latchkey/client';
import { isAtLeast } from '../roles.ts';

/** What can be done about somebody's account. */
export type UserAction = 'role' | 'recovery' | 'sessions' | 'disable' | 'enable' | 'remove';

/** What every dialog about somebody is given. */
export interface UserDialogProps {
  user: User;
  onClose: () => void;
  /** What was done, in a sentence. */
  onChanged: (user: User, words: string) => void;
}

/** What of it one may do. The service decides for itself; this is for not offering in vain. */
export function actionsFor(me: User, user: User): UserAction[] {
  const isSuperadmin = me.role === 'superadmin';
  // What concerns one's own way in is in one's own settings.
  if (me.id === user.id) return isSuperadmin ? ['role'] : [];
  const mayHelp = isSuperadmin || !isAtLeast(user.role, me.role);
  const help: UserAction[] = mayHelp && user.status === 'active' ? ['recovery', 'sessions'] : [];
  if (!isSuperadmin) return help;
  return ['role', ...help, user.status === 'active' ? 'disable' : 'enable', 'remove'];
}
