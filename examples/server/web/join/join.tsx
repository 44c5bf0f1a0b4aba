import { useCallback, useRef } from 'preact/hooks';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { AcceptActions } from '../invitation/accept-actions.tsx';
import { ForVisitor } from '../invitation/for-visitor.tsx';
import { InvitationFlow } from '../invitation/invitation-flow.tsx';
import { T, t } from '../messages/t.tsx';
import { Joined, type JoinedTo } from './joined.tsx';
import { OrganizationOffer } from './organization-offer.tsx';

const words = (): Record<string, Explanation> => ({
  already_a_member: {
    tone: 'info',
    title: t('invitation.alreadyMember'),
    body: t('invitation.noNeedOthers'),
  },
});

/** The page of an organization invitation. A user who signs up with the invitation also accepts it. */
export function Join({ token }: { token: string }) {
  /** Whether an account was created with the invitation. */
  const signedUp = useRef(false);
  return (
    <InvitationFlow
      preview={useCallback(() => auth.organizations.invitations.preview(token), [token])}
      accept={() => (signedUp.current ? onlyOrganization() : acceptLink(token))}
      forUser={(invitation, user, accept) => (
        <>
          <OrganizationOffer invitation={invitation} />
          <p>
            <T
              id="invitation.signedInAs"
              values={{ username: <strong dir="auto">{user.username}</strong> }}
            />
          </p>
          <AcceptActions
            accept={accept}
            mayAccept={codeOf(accept.error) !== 'already_a_member'}
            words={words()}
          />
        </>
      )}
      forVisitor={(invitation, accept) => (
        <>
          <OrganizationOffer invitation={invitation} />
          <ForVisitor
            username={null}
            page="/join"
            invitation={invitation.canSignUp ? token : undefined}
            accept={() => {
              signedUp.current = invitation.canSignUp;
              return accept.run();
            }}
          />
        </>
      )}
      accepted={(organization) => <Joined organization={organization} />}
    />
  );
}

const acceptLink = async (token: string): Promise<JoinedTo> =>
  (await auth.organizations.invitations.acceptLink(token)).organization;

/** Returns the organization that the new user joined with the sign-up. */
async function onlyOrganization(): Promise<JoinedTo> {
  const session = await auth.session({ include: ['organizations'] });
  const [organization] = session?.organizations ?? [];
  if (!organization) throw new Error('the new user has no organization');
  return organization;
}
