import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { VisitorsOnly } from '../components/visitors-only.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { SetupNotice } from '../entrance/setup-notice.tsx';
import { T, t } from '../messages/t.tsx';
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
        <PageHeading title={t('entrance.signUpTitle')} />
        <p class="entrance__lead">{t('entrance.signUpLead')}</p>
        <SetupNotice />
        <SignUpForm onSignedUp={refresh} />
        <p class="entrance__aside">
          <T
            id="entrance.haveAnAccount"
            values={{ link: (words) => <a href={withReturnPath('/signin', query.to)}>{words}</a> }}
          />
        </p>
      </Entrance>
    </VisitorsOnly>
  );
}
