import type { User } from 'latchkey/client';
import { ChevronsUpDown } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { T } from '../messages/t.tsx';
import { roleNames } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { accountMenuId } from './account-menu.tsx';

interface AccountButtonProps {
  user: User;
  /** The top bar has room only for the avatar. */
  place: 'rail' | 'top-bar';
}

/** Opens the account menu. */
export const AccountButton = ({ user, place }: AccountButtonProps) => (
  <button type="button" class={`account-button account-button--${place}`} popovertarget={accountMenuId}>
    <Avatar name={user.displayName ?? user.username} seed={user.username} />
    <span class="visually-hidden">
      <T id="layout.accountMenu" values={{ name: <bdi>{user.displayName ?? user.username}</bdi> }} />
    </span>
    {place === 'rail' && (
      <span class="account-button__text" aria-hidden="true">
        <span class="account-button__name">
          <bdi>{user.displayName ?? user.username}</bdi>
        </span>
        <span class="account-button__role">{roleNames[user.role]}</span>
      </span>
    )}
    {place === 'rail' && <Icon of={ChevronsUpDown} />}
  </button>
);
