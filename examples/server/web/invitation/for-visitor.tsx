import { useAccount } from '../account.tsx';
import { withReturnPath } from '../return-path.ts';
import { SignUpForm } from '../sign-up/sign-up-form.tsx';
import { useUsernameAvailability } from '../use-username-availability.ts';

interface ForVisitorProps {
  /** The only user who can accept. Null: the first user with the link. */
  username: string | null;
  /** The path to return to after signing in. */
  page: string;
  accept: () => Promise<void>;
}

/** The actions of a visitor on the page of an invitation: create an account and accept, or sign in first. */
export function ForVisitor({ username, page, accept }: ForVisitorProps) {
  const { refresh } = useAccount();
  const hasAccount = useUsernameAvailability(username ?? '').status === 'taken';
  const signIn = withReturnPath('/signin', page);
  if (hasAccount) {
    return (
      <a class="button button--primary button--wide" href={signIn}>
        Sign in as {username} to accept
      </a>
    );
  }
  return (
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
        Already have an account? <a href={signIn}>Sign in to accept</a>
      </p>
    </>
  );
}
