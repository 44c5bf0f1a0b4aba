import type { Account } from 'latchkey/client';
import { LifeBuoy, LogOut, ShieldCheck, UserRound } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { ownActivity } from '../destinations.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { openHelp } from '../palette/overlays.tsx';
import { roleNames } from '../roles.ts';
import { ThemeChoice } from '../theme/theme-choice.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { LanguageChoice } from './language-choice.tsx';

/** The id of the menu, for the buttons that open it. */
export const accountMenuId = 'account-menu';

/** The user's own pages, the settings of this browser, and the sign-out. The browser closes the menu with Escape. */
export function AccountMenu({ user }: { user: Account }) {
  const { signOut } = useAccount();
  const signingOut = useAction(signOut);
  const menu = useRef<HTMLDivElement>(null);
  const { url } = useLocation();
  const close = () => {
    if (menu.current?.matches(':popover-open')) menu.current.hidePopover();
  };

  // Closes the menu after each navigation.
  useEffect(close, [url]);

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
          {t('layout.profile')}
        </MenuLink>
        <MenuLink
          href="/settings/security"
          icon={ShieldCheck}
          fact={t('layout.passkeyCount', { count: user.passkeyCount })}
        >
          {t('layout.security')}
        </MenuLink>
        <MenuLink href={ownActivity.href} icon={ownActivity.icon}>
          {ownActivity.name()}
        </MenuLink>
      </ul>
      <div class="account-menu__group account-menu__settings">
        <ThemeChoice />
        <LanguageChoice hasVisibleLabel />
      </div>
      <div class="account-menu__group">
        <button
          type="button"
          class="account-menu__item"
          onClick={() => {
            close();
            openHelp();
          }}
        >
          <Icon of={LifeBuoy} />
          {t('layout.help')}
        </button>
        <button
          type="button"
          class="account-menu__item"
          aria-disabled={signingOut.busy}
          onClick={() => void (signingOut.busy || signingOut.run())}
        >
          <Icon of={LogOut} />
          {t('layout.signOut')}
        </button>
        <ErrorNotice error={signingOut.error} />
      </div>
    </div>
  );
}

interface MenuLinkProps {
  href: string;
  icon: string;
  /** A short fact at the end of the line. */
  fact?: string;
  children: ComponentChildren;
}

const MenuLink = ({ href, icon, fact, children }: MenuLinkProps) => (
  <li>
    <a class="account-menu__item" href={href}>
      <Icon of={icon} />
      {children} {fact && <span class="account-menu__fact">{fact}</span>}
    </a>
  </li>
);
