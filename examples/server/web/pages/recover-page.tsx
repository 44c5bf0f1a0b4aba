import type { ComponentChild } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import type { AccountState } from '../account-view.ts';
import { PageFailed } from '../components/page-failed.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { Redirect } from '../components/redirect.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { useLinkToken } from '../link-token.ts';
import { t } from '../messages/t.tsx';
import { CodesStep } from '../recovery/codes-step.tsx';
import { FirstStep } from '../recovery/first-step.tsx';
import { LinkStep } from '../recovery/link-step.tsx';
import { SessionSteps } from '../recovery/session-steps.tsx';
import { useHasBeen } from '../use-has-been.ts';

/** Recovers an account. The session decides which step the page shows, so the user can reload the page. */
export function RecoverPage() {
  const step = useStep();
  return step && <Entrance>{step}</Entrance>;
}

function useStep(): ComponentChild {
  const { state, refresh } = useAccount();
  const { query } = useLocation();
  const { token, forget } = useLinkToken('/recover');
  const kind = state.status === 'signed-in' ? state.session.kind : null;
  const wasRecovering = useHasBeen(kind === 'recovery');
  // An operator created the account, and the user adds the first passkey here. This is not a recovery for the user.
  const isNew = useHasBeen(kind === 'recovery' && hasNoWayIn(state));
  // Also true if another tab completed the recovery.
  const hasRecovered = useHasBeen(wasRecovering && kind === 'full');

  switch (state.status) {
    case 'loading':
      return <PageLoading rows={2} label={t('common.loading')} />;
    case 'failed':
      return <PageFailed error={state.error} retry={refresh} />;
    case 'signed-out':
      if (hasRecovered || 'completed' in query) return <Redirect to="/signin" />;
      return <FirstStep token={token} onForget={forget} ranOut={wasRecovering} />;
    default: {
      const { user, session } = state;
      // The link comes first, because it can be for a different account than the session.
      if (token) return <LinkStep token={token} user={user} onForget={forget} />;
      if (session.kind === 'recovery') return <SessionSteps user={user} session={session} isNew={isNew} />;
      if (hasRecovered || 'completed' in query) return <CodesStep user={user} />;
      return <Redirect to="/" />;
    }
  }
}

const hasNoWayIn = (state: AccountState): boolean =>
  state.status === 'signed-in' && state.user.passkeyCount === 0 && !state.user.hasPassword;
