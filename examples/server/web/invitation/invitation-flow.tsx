import type { Account } from 'latchkey/client';
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { PageFailed } from '../components/page-failed.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { codeOf } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { useAction } from '../use-action.ts';
import { useResource } from '../use-resource.ts';
import { DeadInvitation } from './dead-invitation.tsx';

export interface Acceptance {
  /** Never rejects: `error` holds the last error. */
  run: () => Promise<void>;
  busy: boolean;
  error: unknown;
}

interface InvitationFlowProps<Preview, Accepted> {
  /** Reads the invitation. Must be the same function on each render. */
  preview: () => Promise<Preview>;
  accept: () => Promise<Accepted>;
  forUser: (preview: Preview, user: Account, accept: Acceptance) => ComponentChild;
  forVisitor: (preview: Preview, accept: Acceptance) => ComponentChild;
  accepted: (accepted: Accepted) => ComponentChild;
}

/** The page of an invitation, from loading to accepted. */
export function InvitationFlow<Preview, Accepted>(props: InvitationFlowProps<Preview, Accepted>) {
  const { state, refresh } = useAccount();
  const { resource, reload } = useResource(props.preview);
  const [accepted, setAccepted] = useState<{ value: Accepted } | null>(null);
  const accept = useAction(async () => {
    setAccepted({ value: await props.accept() });
    await refresh();
  });

  if (accepted) return <>{props.accepted(accepted.value)}</>;
  if (resource.status === 'failed' || isDead(accept.error)) {
    const error = resource.status === 'failed' ? resource.error : accept.error;
    if (isDead(error)) return <DeadInvitation code={codeOf(error)} />;
    return <PageFailed error={error} retry={reload} />;
  }
  if (state.status === 'failed') return <PageFailed error={state.error} retry={refresh} />;
  if (state.status === 'loading' || resource.status === 'loading') {
    return <PageLoading rows={3} label={t('invitation.loading')} />;
  }
  return (
    <>
      {state.status === 'signed-in'
        ? props.forUser(resource.value, state.user, accept)
        : props.forVisitor(resource.value, accept)}
    </>
  );
}

const isDead = (error: unknown): boolean =>
  ['invitation_unusable', 'invitation_not_found'].includes(codeOf(error));
