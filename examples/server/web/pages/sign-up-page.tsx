import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { VisitorsOnly } from '../components/visitors-only.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { SetupNotice } from '../entrance/setup-notice.tsx';
import { withReturnPath } from '../return-path.ts';
import { NoSignUp } from '../sign-up/no-sign-up.tsx';
import { SignUpForm } from '../sign-up/sign-up-form.tsx';
import { signUpMode } from '../site-settings.ts';

export function SignUpPage() {
  const { query } = useLocation();
  const { refresh } = useAccount();
  if (signUpMode !== 'open') {
    return (
      <VisitorsOnly destination={query.to}>
        <Entrance>
          <NoSignUp signIn={withReturnPath('/signin', query.to)} />
        </Entrance>
      </VisitorsOnly>
    );
  }
  return (
    <VisitorsOnly destination={query.to}>
      <Entrance>
        <PageHeading title="Create your account" />
        <p class="entrance__lead">
          A passkey signs you in with your fingerprint, face or screen lock. You don’t need a password.
        </p>
        <SetupNotice />
        <SignUpForm onSignedUp={refresh} />
        <p class="entrance__aside">
          Have an account? <a href={withReturnPath('/signin', query.to)}>Sign in</a>
        </p>
      </Entrance>
    </VisitorsOnly>
  );
}
