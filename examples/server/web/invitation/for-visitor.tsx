import type { InvitationPreview } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { withReturnPath } from '../return-path.ts';
import { SignUpForm } from '../sign-up/sign-up-form.tsx';
import { useUsernameAvailability } from '../use-username-availability.ts';
import { Offer } from './offer.tsx';

interface ForVisitorProps {
  invitation: InvitationPreview;
  /** Says by itself what went wrong. */
  accept: () => Promise<void>;
}

/** For somebody who is not signed in: an account first, a new one or the one they have. */
export function ForVisitor({ invitation, accept }: ForVisitorProps) {
  const { refresh } = useAccount();
  const { username } = invitation;
  const hasAccount = useUsernameAvailability(username ?? '').status === 'taken';
  const signIn = withReturnPath('/signin', '/invitation');
  return (
    <>
      <Offer invitation={invitation} />
      {hasAccount ? (
        <a class="button button--primary button--wide" href={signIn}>
          Sign in as {username} to accept
        </a>
      ) : (
        <>
          <SignUpForm
            fixedUsername={username}
            submit="Create account and accept"
            onSignedUp={async () => {
              await accept();
              await refresh();
            }}
          />
          <p class="entrance__aside">
            I have an account: <a href={signIn}>sign in to accept</a>
          </p>
        </>
      )}
    </>
  );
}
