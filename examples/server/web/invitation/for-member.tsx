import type { Account, InvitationPreview } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import type { Explanation } from '../explain.ts';
import { isAtLeast, roleNames } from '../roles.ts';
import { useAction } from '../use-action.ts';
import { Offer } from './offer.tsx';

const words: Record<string, Explanation> = {
  role_already_held: {
    tone: 'info',
    title: 'You’re an administrator already',
    body: 'The invitation stays as it is, for somebody else.',
  },
};

interface ForMemberProps {
  invitation: InvitationPreview;
  user: Account;
  accept: { run: () => Promise<void>; busy: boolean; error: unknown };
}

/** For somebody who is signed in, with the account it is for or with another one. */
export function ForMember({ invitation, user, accept }: ForMemberProps) {
  const { refresh } = useAccount();
  const leave = useAction(async () => {
    await auth.signOut();
    await refresh();
  });
  const { username } = invitation;
  const isForAnother = username !== null && username !== user.username;
  const hasRole = isAtLeast(user.role, invitation.role);
  const mayAccept = !isForAnother && !hasRole;

  return (
    <>
      <Offer invitation={invitation} />
      <p>
        You’re signed in as <strong>{user.username}</strong>.
      </p>
      {isForAnother && (
        <Notice tone="warning" title={`This invitation is for ${username}`}>
          If that’s you as well, sign out here, then accept with that account.
        </Notice>
      )}
      {!isForAnother && hasRole && (
        <Notice
          tone="info"
          title={`You’re ${articleFor[user.role]} ${roleNames[user.role].toLowerCase()} already`}
        >
          There is nothing for you to accept. The invitation stays as it is, for somebody else.
        </Notice>
      )}
      <ErrorNotice error={accept.error ?? leave.error} words={words} />
      <div class="form form--close">
        {mayAccept && (
          <Button variant="primary" wide busy={accept.busy} onClick={() => void accept.run()}>
            Accept the invitation
          </Button>
        )}
        <Button wide busy={leave.busy} onClick={() => void leave.run()}>
          Use another account
        </Button>
        <a class="button button--quiet button--wide" href="/">
          {mayAccept ? 'Not now' : 'Go to your account'}
        </a>
      </div>
    </>
  );
}

const articleFor = { user: 'a', admin: 'an', superadmin: 'a' };
