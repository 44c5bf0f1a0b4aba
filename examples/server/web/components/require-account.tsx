import type { Account, Session } from 'latchkey/client';
import type { ComponentChild } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { t } from '../messages/t.tsx';
import { signInPath } from '../return-path.ts';
import { PageFailed } from './page-failed.tsx';
import { PageLoading } from './page-loading.tsx';
import { Redirect } from './redirect.tsx';

/** Renders its children for signed-in users. Redirects visitors to the sign-in page, which later returns them here. */
export function RequireAccount({
  children,
}: {
  children: (user: Account, session: Session) => ComponentChild;
}) {
  const { state, refresh } = useAccount();
  const { url } = useLocation();
  switch (state.status) {
    case 'signed-in':
      return <>{children(state.user, state.session)}</>;
    case 'signed-out':
      return <Redirect to={signInPath(url)} />;
    case 'failed':
      return (
        <Entrance>
          <PageFailed error={state.error} retry={refresh} />
        </Entrance>
      );
    default:
      return (
        <main class="content" id="content" tabIndex={-1}>
          <PageLoading rows={4} label={t('common.loadingAccount')} />
        </main>
      );
  }
}
