import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { UsernameField } from '../components/username-field.tsx';
import { VisitorsOnly } from '../components/visitors-only.tsx';
import { accountDisabled } from '../entrance/account-disabled.ts';
import { Entrance } from '../entrance/entrance.tsx';
import { type Explanation, explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { withReturnPath } from '../return-path.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  account_disabled: accountDisabled,
  authentication_failed: explanation('danger', 'entrance.notSignedInTitle', 'entrance.notSignedInBody'),
  rate_limited: explanation('warning', 'errors.tooManyTitle', 'entrance.orPasskeyNow'),
};

export function PasswordSignInPage() {
  const { query } = useLocation();
  return (
    <VisitorsOnly destination={query.to}>
      <Entrance>
        <PageHeading title={t('entrance.passwordPageTitle')} />
        <PasswordForm />
        <div class="entrance__aside">
          <p>
            <T
              id="entrance.passwordPagePasskey"
              values={{ link: (words) => <a href={withReturnPath('/signin', query.to)}>{words}</a> }}
            />
          </p>
          <p>
            <T id="entrance.passwordPageCode" values={{ link: (words) => <a href="/recover">{words}</a> }} />
          </p>
        </div>
      </Entrance>
    </VisitorsOnly>
  );
}

function PasswordForm() {
  const { refresh } = useAccount();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [attempted, setAttempted] = useState(false);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const isUsernameMissing = username.trim() === '';
  const isPasswordMissing = password === '';

  const signIn = useAction(async () => {
    try {
      await auth.signInWithPassword({ username: username.trim(), password });
    } catch (error) {
      passwordInput.current?.select();
      throw error;
    }
    await refresh();
  });

  const submit = (event: Event) => {
    event.preventDefault();
    setAttempted(true);
    if (isUsernameMissing) usernameInput.current?.focus();
    else if (isPasswordMissing) passwordInput.current?.focus();
    else void signIn.run();
  };

  return (
    <form class="form" onSubmit={submit}>
      <ErrorNotice error={signIn.error} words={words} />
      <UsernameField
        value={username}
        onValue={setUsername}
        inputRef={usernameInput}
        missing={attempted && isUsernameMissing}
      />
      <PasswordField
        label={t('entrance.password')}
        value={password}
        onValue={setPassword}
        inputRef={passwordInput}
        autocomplete="current-password"
        sending={signIn.busy}
        invalid={attempted && isPasswordMissing}
        message={attempted && isPasswordMissing && <Bad>{t('entrance.enterPassword')}</Bad>}
      />
      <Button type="submit" variant="primary" wide busy={signIn.busy}>
        {t('entrance.signIn')}
      </Button>
    </form>
  );
}
