import { useAccount } from '../account.tsx';
import { T, t } from '../messages/t.tsx';
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
    submit = t('invitation.createAndAccept'),
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
        {t('invitation.signInAs', { username: username ?? '' })}
      </a>
    );
  }
  if (!canSignUp) {
    return (
      <>
        <p>{signUpMode === 'invitation' ? t('invitation.askForInvitation') : t('invitation.signUpClosed')}</p>
        <a class="button button--primary button--wide" href={signIn}>
          {forAccounts ? t('invitation.signInToAccept') : t('invitation.signIn')}
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
        <T
          id={forAccounts ? 'invitation.hasAccountAccept' : 'invitation.hasAccountSignIn'}
          values={{ link: (children) => <a href={signIn}>{children}</a> }}
        />
      </p>
    </>
  );
}
