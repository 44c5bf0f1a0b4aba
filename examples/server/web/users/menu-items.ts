import type { User } from 'latchkey/client';
import { Ban, Link2, LogOut, ScanFace, Trash2, UserCheck, UserRoundCog } from 'lucide-static';
import { t } from '../messages/text.ts';
import type { MenuItem } from '../ui/menu.tsx';
import type { UserAction } from './user-actions.ts';

/** The icon and the words of an action in a menu. @param sessions how many sessions the user has, if known */
export function menuItemOf(action: UserAction, { role }: User, sessions?: number): Omit<MenuItem, 'run'> {
  switch (action) {
    case 'role':
      return {
        icon: UserRoundCog,
        label: t('users.changeRoleItem'),
        consequence: t('users.changeRoleHint', { role }),
      };
    case 'recovery':
      return { icon: Link2, label: t('users.recoveryItem'), consequence: t('users.recoveryHint') };
    case 'sessions':
      return {
        icon: LogOut,
        label: t('users.endSessionsItem'),
        consequence:
          sessions === undefined
            ? t('users.endSessionsHint')
            : t('users.endSessionsCount', { count: sessions }),
      };
    case 'impersonate':
      return { icon: ScanFace, label: t('users.impersonateItem'), consequence: t('users.impersonateHint') };
    case 'disable':
      return { icon: Ban, label: t('users.disableItem'), consequence: t('users.disableHint') };
    case 'enable':
      return { icon: UserCheck, label: t('users.enableItem'), consequence: t('users.enableHint') };
    default:
      return {
        icon: Trash2,
        label: t('users.deleteItem'),
        consequence: t('users.deleteHint'),
        destructive: true,
      };
  }
}
