import type { User } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { BrandMark } from '../brand/mark.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { AdminNav, MainNav } from './main-nav.tsx';
import { PrivilegeNotice } from './privilege-notice.tsx';

interface ShellProps {
  /** Null while the account is loading. */
  user: User | null;
  children: ComponentChildren;
}

/** The layout of the pages for signed-in users. */
export function Shell({ user, children }: ShellProps) {
  const { signOut } = useAccount();
  const signingOut = useAction(signOut);
  return (
    <>
      <header class="header">
        <div class="header__inner">
          <a class="wordmark" href="/">
            <BrandMark />
            Latchkey
          </a>
          <MainNav />
          {user && (
            <div class="header__user">
              <span class="header__name" title={user.username}>
                {user.username}
              </span>
              <Button variant="quiet" busy={signingOut.busy} onClick={() => void signingOut.run()}>
                Sign out
              </Button>
            </div>
          )}
        </div>
        {user && <AdminNav user={user} />}
      </header>
      <main class="content" id="content" tabIndex={-1}>
        <ErrorNotice error={signingOut.error} />
        <PrivilegeNotice />
        {children}
      </main>
    </>
  );
}
