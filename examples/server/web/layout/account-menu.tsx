import type { User } from 'latchkey/client';
import { History, LogOut, ShieldCheck, UserRound } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { roleNames } from '../roles.ts';
import { ThemeChoice } from '../theme/theme-choice.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

/** The id of the menu, for the buttons that open it. */
export const accountMenuId = 'account-menu';

/** The user's own pages, the theme, and the sign-out. The browser closes it with Escape or a click outside. */
export function AccountMenu({ user }: { user: User }) {
  const { signOut } = useAccount();
  const signingOut = useAction(signOut);
  const menu = useRef<HTMLDivElement>(null);
  const { url } = useLocation();

  // Closes the menu after each navigation.
  useEffect(() => {
    if (menu.current?.matches(':popover-open')) menu.current.hidePopover();
  }, [url]);

  return (
    <div class="account-menu" id={accountMenuId} popover="auto" ref={menu}>
      <div class="account-menu__who">
        <Avatar name={user.displayName ?? user.username} seed={user.username} />
        <div>
          <p class="account-menu__name">
            <bdi>{user.displayName ?? user.username}</bdi>
          </p>
          <p class="account-menu__facts">
            <bdi>{user.username}</bdi> · {roleNames[user.role]}
          </p>
        </div>
      </div>
      <ul class="account-menu__group">
        <MenuLink href="/settings/profile" icon={UserRound}>
          Profile
        </MenuLink>
        <MenuLink href="/settings/security" icon={ShieldCheck}>
          Passkeys and sessions
        </MenuLink>
        <MenuLink href="/settings/activity" icon={History}>
          {t('layout.yourActivity')}
        </MenuLink>
      </ul>
      <div class="account-menu__group account-menu__theme">
        <ThemeChoice />
      </div>
      <div class="account-menu__group">
        <button
          type="button"
          class="account-menu__item"
          aria-disabled={signingOut.busy}
          onClick={() => void (signingOut.busy || signingOut.run())}
        >
          <Icon of={LogOut} />
          Sign out
        </button>
        <ErrorNotice error={signingOut.error} />
      </div>
    </div>
  );
}

const MenuLink = ({ href, icon, children }: { href: string; icon: string; children: ComponentChildren }) => (
  <li>
    <a class="account-menu__item" href={href}>
      <Icon of={icon} />
      {children}
    </a>
  </li>
);
