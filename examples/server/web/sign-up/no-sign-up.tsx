import { PageHeading } from '../components/page-heading.tsx';
import { signUpMode } from '../site-settings.ts';

/** The sign-up page if visitors cannot sign up here. */
export const NoSignUp = ({ signIn }: { signIn: string }) => (
  <>
    <PageHeading title={signUpMode === 'invitation' ? 'You need an invitation' : 'Sign-up is closed'} />
    <p class="entrance__lead">
      {signUpMode === 'invitation'
        ? 'To create an account, open the link of your invitation.'
        : 'You can’t create an account here.'}
    </p>
    <a class="button button--primary button--wide" href={signIn}>
      Sign in
    </a>
  </>
);
