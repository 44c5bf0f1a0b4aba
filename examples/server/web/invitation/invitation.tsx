import { useCallback } from 'preact/hooks';
import { auth } from '../auth.ts';
import { Accepted } from './accepted.tsx';
import { ForMember } from './for-member.tsx';
import { ForVisitor } from './for-visitor.tsx';
import { InvitationFlow } from './invitation-flow.tsx';
import { Offer } from './offer.tsx';

/** The page of an admin invitation. */
export const Invitation = ({ token }: { token: string }) => (
  <InvitationFlow
    preview={useCallback(() => auth.invitations.preview(token), [token])}
    accept={() => auth.invitations.accept(token)}
    forUser={(invitation, user, accept) => <ForMember invitation={invitation} user={user} accept={accept} />}
    forVisitor={(invitation, accept) => (
      <>
        <Offer invitation={invitation} />
        <ForVisitor username={invitation.username} page="/invitation" accept={accept.run} />
      </>
    )}
    accepted={() => <Accepted />}
  />
);
