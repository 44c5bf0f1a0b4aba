import { useCallback, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PageFailed } from '../components/page-failed.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { codeOf } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { useResource } from '../use-resource.ts';
import { Accepted } from './accepted.tsx';
import { DeadInvitation } from './dead-invitation.tsx';
import { ForMember } from './for-member.tsx';
import { ForVisitor } from './for-visitor.tsx';

/** What it offers, and then whatever keeps whoever opened it from having that. */
export function Invitation({ token }: { token: string }) {
  const { state, refresh } = useAccount();
  const { resource, reload } = useResource(useCallback(() => auth.invitations.preview(token), [token]));
  const [isAccepted, setAccepted] = useState(false);
  const accept = useAction(async () => {
    await auth.invitations.accept(token);
    setAccepted(true);
    await refresh();
  });

  if (isAccepted) return <Accepted />;
  if (resource.status === 'failed' || isDead(accept.error)) {
    const error = resource.status === 'failed' ? resource.error : accept.error;
    if (isDead(error)) return <DeadInvitation code={codeOf(error)} />;
    return <PageFailed error={error} retry={reload} />;
  }
  if (state.status === 'failed') return <PageFailed error={state.error} retry={refresh} />;
  if (state.status === 'loading' || resource.status === 'loading') {
    return <PageLoading rows={3} label="Looking at your invitation" />;
  }
  const invitation = resource.value;
  return state.status === 'signed-in' ? (
    <ForMember invitation={invitation} user={state.user} accept={accept} />
  ) : (
    <ForVisitor invitation={invitation} accept={accept.run} />
  );
}

const isDead = (error: unknown): boolean =>
  ['invitation_unusable', 'invitation_not_found'].includes(codeOf(error));
