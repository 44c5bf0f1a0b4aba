import { useCallback } from 'preact/hooks';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { AcceptActions } from '../invitation/accept-actions.tsx';
import { ForVisitor } from '../invitation/for-visitor.tsx';
import { InvitationFlow } from '../invitation/invitation-flow.tsx';
import { Joined } from './joined.tsx';
import { OrganizationOffer } from './organization-offer.tsx';

const words: Record<string, Explanation> = {
  already_a_member: {
    tone: 'info',
    title: 'You’re already a member',
    body: 'You don’t need to accept. Another user can still accept.',
  },
};

/** The page of an organization invitation. */
export const Join = ({ token }: { token: string }) => (
  <InvitationFlow
    preview={useCallback(() => auth.organizations.invitations.preview(token), [token])}
    accept={() => auth.organizations.invitations.acceptLink(token)}
    forUser={(invitation, user, accept) => (
      <>
        <OrganizationOffer invitation={invitation} />
        <p>
          You’re signed in as <strong>{user.username}</strong>.
        </p>
        <AcceptActions
          accept={accept}
          mayAccept={codeOf(accept.error) !== 'already_a_member'}
          words={words}
        />
      </>
    )}
    forVisitor={(invitation, accept) => (
      <>
        <OrganizationOffer invitation={invitation} />
        <ForVisitor username={null} page="/join" accept={accept.run} />
      </>
    )}
    accepted={({ organization }) => <Joined organization={organization} />}
  />
);
