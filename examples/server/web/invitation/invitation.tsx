import type { InvitationPreview, Role } from 'latchkey/client';
import { useCallback, useRef } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Accepted } from './accepted.tsx';
import { ForMember } from './for-member.tsx';
import { ForVisitor } from './for-visitor.tsx';
import { InvitationFlow } from './invitation-flow.tsx';
import { Offer } from './offer.tsx';

/** The page of an invitation to the service. A user who signs up with the invitation also accepts it. */
export function Invitation({ token }: { token: string }) {
  /** The role of the account that was created with the invitation. */
  const signedUpAs = useRef<Role | null>(null);
  return (
    <InvitationFlow
      preview={useCallback(() => auth.invitations.preview(token), [token])}
      accept={async () => signedUpAs.current ?? (await auth.invitations.accept(token)).user.role}
      forUser={(invitation, user, accept) => (
        <ForMember invitation={invitation} user={user} accept={accept} />
      )}
      forVisitor={(invitation: InvitationPreview, accept) => (
        <>
          <Offer invitation={invitation} />
          <ForVisitor
            username={invitation.username}
            page="/invitation"
            invitation={token}
            submit={
              invitation.role === 'user' ? t('invitation.createWithPasskey') : t('invitation.createAndAccept')
            }
            forAccounts={invitation.role !== 'user'}
            accept={() => {
              signedUpAs.current = invitation.role;
              return accept.run();
            }}
          />
        </>
      )}
      accepted={(role) => <Accepted role={role} />}
    />
  );
}
