import type { Account } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { PrivilegeNotice } from '../components/privilege-notice.tsx';
import { Overlays } from '../palette/overlays.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';

export interface ShellProps {
  user: Account;
  children: ComponentChildren;
}

/**
 * The layout of the pages for signed-in users. From 1024 px, the rail with the navigation is beside the content. Below,
 * the rail is a drawer that a button of the top bar opens.
 */
export function Shell({ user, children }: ShellProps) {
  const { path } = useLocation();
  return (
    <>
      <header class="shell__header">
        <TopBar user={user} />
        <Rail user={user} />
        <AccountMenu user={user} />
      </header>
      <main class={`content${path.startsWith('/admin/') ? ' content--wide' : ''}`} id="content" tabIndex={-1}>
        <PrivilegeNotice />
        {children}
      </main>
      <Overlays user={user} />
    </>
  );
}
