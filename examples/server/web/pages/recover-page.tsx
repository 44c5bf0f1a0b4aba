import type { ComponentChild } from 'preact';
import { type AccountState, useAccount } from '../account.tsx';
import { Entrance } from '../components/entrance.tsx';
import { PageFailed } from '../components/page-failed.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { Redirect } from '../components/redirect.tsx';
import { useLinkToken } from '../link-token.ts';
import { CodesStep } from '../recovery/codes-step.tsx';
import { FirstStep } from '../recovery/first-step.tsx';
import { LinkStep } from '../recovery/link-step.tsx';
import { PasskeyStep } from '../recovery/passkey-step.tsx';
import { useHasBeen } from '../use-has-been.ts';

/** The way back in, at whichever of its steps somebody is: their session says which. */
export function RecoverPage() {
  const step = useStep();
  return step && <Entrance>{step}</Entrance>;
}

function useStep(): ComponentChild {
  const { state, refresh } = useAccount();
  const { token, forget } = useLinkToken('/recover');
  const kind = state.status === 'signed-in' ? state.session.kind : null;
  const wasRecovering = useHasBeen(kind === 'recovery');
  // Somebody whom an operator has made an account comes here for its first passkey: there is nothing to recover.
  const isNew = useHasBeen(kind === 'recovery' && hasNoWayIn(state));
  // Told by the session rather than by the answer to step 2: reading it again must not lead past step 3.
  const hasRecovered = useHasBeen(wasRecovering && kind === 'full');

  switch (state.status) {
    case 'loading':
      return <PageLoading rows={2} label="Loading" />;
    case 'failed':
      return <PageFailed error={state.error} retry={refresh} />;
    case 'signed-out':
      if (hasRecovered) return <Redirect to="/signin" />;
      return <FirstStep token={token} onForget={forget} ranOut={wasRecovering} />;
    default: {
      const { user, session } = state;
      // A link first: whoever opens one here may be somebody else than the one whose recovery is under way.
      if (token) return <LinkStep token={token} user={user} onForget={forget} />;
      if (session.kind === 'recovery') return <PasskeyStep user={user} session={session} isNew={isNew} />;
      if (hasRecovered) return <CodesStep user={user} isNew={isNew} />;
      return <Redirect to="/" />;
    }
  }
}

const hasNoWayIn = (state: AccountState): boolean =>
  state.status === 'signed-in' && state.user.passkeyCount === 0 && !state.user.hasPassword;
