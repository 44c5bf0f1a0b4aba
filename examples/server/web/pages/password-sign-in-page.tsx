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
import type { Explanation } from '../explain.ts';
import { withReturnPath } from '../return-path.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  account_disabled: accountDisabled,
  authentication_failed: {
    tone: 'danger',
    title: 'Couldn’t sign in',
    body: 'Check the username and the password, then try again. Not every account has a password.',
  },
  rate_limited: {
    tone: 'warning',
    title: 'Too many attempts',
    body: 'Or sign in with a passkey now.',
  },
};

export function PasswordSignInPage() {
  const { query } = useLocation();
  return (
    <VisitorsOnly destination={query.to}>
      <Entrance>
        <PageHeading title="Sign in with your password" />
        <PasswordForm />
        <div class="entrance__aside">
          <p>
            Have a passkey? <a href={withReturnPath('/signin', query.to)}>Sign in with a passkey</a>
          </p>
          <p>
            Can’t sign in? <a href="/recover">Use a recovery code</a>
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
        label="Password"
        value={password}
        onValue={setPassword}
        inputRef={passwordInput}
        autocomplete="current-password"
        sending={signIn.busy}
        invalid={attempted && isPasswordMissing}
        message={attempted && isPasswordMissing && <Bad>Enter your password.</Bad>}
      />
      <Button type="submit" variant="primary" wide busy={signIn.busy}>
        Sign in
      </Button>
    </form>
  );
}
