import { PageHeading } from '../components/page-heading.tsx';
import { t } from '../messages/t.tsx';
import { signUpMode } from '../site-settings.ts';

/** The sign-up page if visitors cannot sign up here. */
export const NoSignUp = ({ signIn }: { signIn: string }) => (
  <>
    <PageHeading
      title={t(signUpMode === 'invitation' ? 'entrance.needInvitationTitle' : 'entrance.signUpClosedTitle')}
    />
    <p class="entrance__lead">
      {t(signUpMode === 'invitation' ? 'entrance.needInvitationLead' : 'entrance.signUpClosedLead')}
    </p>
    <a class="button button--primary button--wide" href={signIn}>
      {t('entrance.signIn')}
    </a>
  </>
);
