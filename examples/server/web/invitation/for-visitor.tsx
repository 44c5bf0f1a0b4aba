import { useAccount } from '../account.tsx';
import { withReturnPath } from '../return-path.ts';
import { SignUpForm } from '../sign-up/sign-up-form.tsx';
import { signUpMode } from '../site-settings.ts';
import { useUsernameAvailability } from '../use-username-availability.ts';

interface ForVisitorProps {
  /** The only user who can accept. Null: the first user with the link. */
  username: string | null;
  /** The path to return to after signing in. */
  page: string;
  /** The token of an invitation with which users can sign up. The sign-up uses up the invitation. */
  invitation?: string | undefined;
  submit?: string;
  /** Whether users who have an account can accept. */
  forAccounts?: boolean;
  /** Called after the account is created. */
  accept: () => Promise<void>;
}

/** The actions of a visitor on the page of an invitation: create an account and accept, or sign in first. */
export function ForVisitor(props: ForVisitorProps) {
  const {
    username,
    page,
    invitation,
    submit = 'Create account and accept',
    forAccounts = true,
    accept,
  } = props;
  const { refresh } = useAccount();
  const hasAccount = useUsernameAvailability(username ?? '', invitation).status === 'taken';
  const canSignUp = signUpMode === 'open' || (signUpMode === 'invitation' && invitation !== undefined);
  const signIn = withReturnPath('/signin', page);
  if (hasAccount && forAccounts) {
    return (
      <a class="button button--primary button--wide" href={signIn}>
        Sign in as {username} to accept
      </a>
    );
  }
  if (!canSignUp) {
    return (
      <>
        <p>
          {signUpMode === 'invitation'
            ? 'If you have no account yet, ask for an invitation to sign up first.'
            : 'Sign-up is closed. If you have an account, sign in.'}
        </p>
        <a class="button button--primary button--wide" href={signIn}>
          {forAccounts ? 'Sign in to accept' : 'Sign in'}
        </a>
      </>
    );
  }
  return (
    <>
      <SignUpForm
        fixedUsername={username}
        invitation={invitation}
        submit={submit}
        onSignedUp={async () => {
          await accept();
          await refresh();
        }}
      />
      <p class="entrance__aside">
        Already have an account? <a href={signIn}>{forAccounts ? 'Sign in to accept' : 'Sign in'}</a>
      </p>
    </>
  );
}
