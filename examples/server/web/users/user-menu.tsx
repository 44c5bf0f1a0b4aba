import type { User } from 'latchkey/client';
import { Ban, Link2, LogOut, ScanFace, Trash2, UserCheck, UserRoundCog } from 'lucide-static';
import { roleNames } from '../roles.ts';
import { capabilityScopes, impersonation } from '../site-settings.ts';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { actionsFor, type UserAction } from './user-actions.ts';

interface UserMenuProps {
  user: User;
  me: User;
  onChoose: (action: UserAction) => void;
}

/** The actions on a user's account that the signed-in user may take. Renders nothing if there are none. */
export function UserMenu({ user, me, onChoose }: UserMenuProps) {
  const actions = actionsFor(me, user, { capabilityScopes, impersonation });
  if (actions.length === 0) return null;
  const items = actions.map((action) => ({ ...itemFor(action, user), run: () => onChoose(action) }));
  return <Menu label={`Actions for ${user.username}`} items={items} />;
}

function itemFor(action: UserAction, user: User): Omit<MenuItem, 'run'> {
  switch (action) {
    case 'role':
      return { icon: UserRoundCog, label: 'Change role…', consequence: `${roleNames[user.role]} now` };
    case 'recovery':
      return {
        icon: Link2,
        label: 'Create recovery link…',
        consequence: 'For a user who has lost all passkeys',
      };
    case 'sessions':
      return { icon: LogOut, label: 'End all sessions…', consequence: 'Signs out on all devices' };
    case 'impersonate':
      return { icon: ScanFace, label: 'Use account…', consequence: 'See what the user sees' };
    case 'disable':
      return { icon: Ban, label: 'Disable account…', consequence: 'Blocks sign-in and keeps all data' };
    case 'enable':
      return { icon: UserCheck, label: 'Enable account…', consequence: 'Allows sign-in again' };
    default:
      return {
        icon: Trash2,
        label: 'Delete account…',
        consequence: 'Can’t be undone',
        destructive: true,
      };
  }
}
