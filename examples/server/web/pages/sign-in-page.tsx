import { passkeyObstacle } from 'latchkey/client';
import { ChevronRight } from 'lucide-static';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Entrance } from '../components/entrance.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PasskeyObstacleNotice } from '../components/passkey-obstacle-notice.tsx';
import { VisitorsOnly } from '../components/visitors-only.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { Icon } from '../icons/icon.tsx';
import { withReturnPath } from '../return-path.ts';
import { signUpMode } from '../site-settings.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  authentication_failed: {
    tone: 'danger',
    title: 'Couldn’t sign in',
    body: 'Try again, or use another passkey. If you entered a username, check its spelling.',
  },
  ceremony_canceled: {
    tone: 'info',
    title: 'You’re not signed in yet',
    body: 'The passkey prompt was closed or timed out, or this device has no passkey for this site. Try again, or use a passkey on your phone or a security key.',
  },
};

/** Other clients can exhaust the rate limit of a username. A sign-in without a username is not affected. */
const wordsWithName: Record<string, Explanation> = {
  ...words,
  rate_limited: {
    tone: 'warning',
    title: 'Too many attempts',
    body: 'Or leave the username empty and choose your passkey now.',
  },
};

export function SignInPage() {
  const { query } = useLocation();
  return (
    <VisitorsOnly destination={query.to}>
      <Entrance>
        <PageHeading title="Sign in" />
        {'deleted' in query && <Notice tone="info" title="Your account was deleted" />}
        <WaysIn to={query.to} />
        {signUpMode === 'open' && (
          <p class="entrance__aside">
            No account yet? <a href={withReturnPath('/signup', query.to)}>Create an account</a>
          </p>
        )}
      </Entrance>
    </VisitorsOnly>
  );
}

/** Offers sign-in with a passkey. If passkeys do not work here or a sign-in failed, also shows the other ways to sign in. */
function WaysIn({ to }: { to: string | undefined }) {
  const [hasFailed, setFailed] = useState(false);
  const hasObstacle = passkeyObstacle() !== null;
  return (
    <>
      {hasObstacle ? <PasskeyObstacleNotice /> : <SignInForm onFailed={() => setFailed(true)} />}
      <OtherWays to={to} isOpen={hasObstacle || hasFailed} />
    </>
  );
}

function OtherWays({ to, isOpen }: { to: string | undefined; isOpen: boolean }) {
  return (
    <details class="ways" open={isOpen}>
      <summary class="ways__summary">
        <Icon of={ChevronRight} />
        Sign in another way
      </summary>
      <div class="ways__list">
        <a class="button button--secondary button--wide" href={withReturnPath('/signin/password', to)}>
          Use your password
        </a>
        <a class="button button--secondary button--wide" href="/recover">
          Use a recovery code
        </a>
      </div>
    </details>
  );
}

function SignInForm({ onFailed }: { onFailed: () => void }) {
  const { refresh } = useAccount();
  const [username, setUsername] = useState('');
  const autofill = useAutofill();
  const signIn = useAction(async () => {
    autofill.forget();
    try {
      await auth.signIn({ username: username.trim() || undefined });
    } catch (error) {
      autofill.restart();
      onFailed();
      throw error;
    }
    await refresh();
  });

  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void signIn.run();
      }}
    >
      <ErrorNotice error={signIn.error ?? autofill.error} words={username.trim() ? wordsWithName : words} />
      <Field
        label="Username"
        optional
        name="username"
        value={username}
        onValue={setUsername}
        autocomplete="username webauthn"
        verbatim
        message="Leave it empty to choose from your passkeys."
      />
      <Button type="submit" variant="primary" wide busy={signIn.busy}>
        Sign in with a passkey
      </Button>
    </form>
  );
}

/** After this many failures, offers no more passkeys. Some authenticators fail repeatedly without any user action. */
const mostFailures = 5;

/** Offers passkeys in the autofill suggestions of the username field. Offers them again after a failed attempt. */
function useAutofill() {
  const { refresh } = useAccount();
  const [round, setRound] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const restart = () => setRound((now) => now + 1);

  // Each round is one offer.
  useEffect(() => {
    const controller = new AbortController();
    const offer = async () => {
      try {
        await auth.signInWithAutofill({ signal: controller.signal });
        await refresh();
      } catch (failure) {
        // Other errors are not shown, because the user has not chosen a passkey and the button still works.
        if (codeOf(failure) !== 'authentication_failed') return;
        setError(failure);
        if (round < mostFailures) restart();
      }
    };
    void offer();
    return () => controller.abort();
  }, [round, refresh]);

  return { error, restart, forget: () => setError(null) };
}
