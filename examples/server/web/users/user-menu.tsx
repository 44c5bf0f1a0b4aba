import type { User } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { capabilityScopes, impersonation } from '../site-settings.ts';
import { Menu } from '../ui/menu.tsx';
import { menuItemOf } from './menu-items.ts';
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
  const items = actions.map((action) => ({ ...menuItemOf(action, user), run: () => onChoose(action) }));
  return <Menu label={t('users.actionsFor', { name: user.username })} items={items} />;
}
