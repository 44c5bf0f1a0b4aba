import { type Account, type InvitationPreview, isAtLeast } from 'latchkey/client';
import type { Explanation } from '../explain.ts';
import { roleNames } from '../roles.ts';
import { Notice } from '../ui/notice.tsx';
import { AcceptActions } from './accept-actions.tsx';
import type { Acceptance } from './invitation-flow.tsx';
import { Offer } from './offer.tsx';

const words: Record<string, Explanation> = {
  role_already_held: {
    tone: 'info',
    title: 'You’re already an admin',
    body: 'You don’t need to accept.',
  },
};

interface ForMemberProps {
  invitation: InvitationPreview;
  user: Account;
  accept: Acceptance;
}

/** The page of an invitation for a signed-in user. The invitation can be for a different user, or for a sign-up. */
export function ForMember({ invitation, user, accept }: ForMemberProps) {
  const { username } = invitation;
  const isForAnother = username !== null && username !== user.username;
  const hasRole = isAtLeast(user.role, invitation.role);

  return (
    <>
      <Offer invitation={invitation} />
      <p>
        You’re signed in as <strong>{user.username}</strong>.
      </p>
      {isForAnother && (
        <Notice tone="warning" title={`This invitation is for ${username}`}>
          If that account is also yours, select “Use another account” and sign in as {username}.
        </Notice>
      )}
      {!isForAnother && invitation.role === 'user' && (
        <Notice tone="info" title="You already have an account">
          This invitation is for creating an account. Another user can still use it.
        </Notice>
      )}
      {!isForAnother && hasRole && invitation.role !== 'user' && (
        <Notice
          tone="info"
          title={`You’re already ${articleFor[user.role]} ${roleNames[user.role].toLowerCase()}`}
        >
          You don’t need to accept.{username === null && ' Another user can still accept.'}
        </Notice>
      )}
      <AcceptActions accept={accept} mayAccept={!isForAnother && !hasRole} words={words} />
    </>
  );
}

const articleFor = { user: 'a', admin: 'an', superadmin: 'a' };
