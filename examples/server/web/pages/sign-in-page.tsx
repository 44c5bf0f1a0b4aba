import { passkeyObstacle } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { Entrance } from '../components/entrance.tsx';
import { Field } from '../components/field.tsx';
import { ChevronIcon } from '../components/icons.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PasskeyObstacleNotice } from '../components/passkey-obstacle-notice.tsx';
import { VisitorsOnly } from '../components/visitors-only.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { withReturnPath } from '../return-path.ts';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  authentication_failed: {
    tone: 'danger',
    title: 'Signing in didn’t work',
    body: 'Try again, or use another passkey. If you typed a username, check that it’s yours.',
  },
  ceremony_cancelled: {
    tone: 'info',
    title: 'You’re not signed in yet',
    body: 'The prompt was closed, took too long, or your device couldn’t tell that it’s you; or there is no passkey for this site here. Try again, or use a passkey from your phone or a security key.',
  },
};

/** A name's attempts may have been spent by somebody else; a passkey needs no name. */
const wordsWithName: Record<string, Explanation> = {
  ...words,
  rate_limited: {
    tone: 'warning',
    title: 'Too many attempts',
    body: 'Or leave the username empty and choose your passkey: that works meanwhile.',
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
        <p class="entrance__aside">
          No account yet? <a href={withReturnPath('/signup', query.to)}>Create one</a>
        </p>
      </Entrance>
    </VisitorsOnly>
  );
}

/** A passkey; where that cannot work or did not, the other ways are open as well. */
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
        <ChevronIcon />
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

/** An authenticator that answers by itself, and wrongly, must not keep us asking. */
const mostFailures = 5;

/** Offers passkeys in the field's suggestions, from the start and again after every attempt that failed. */
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
        // Anything else is no news to somebody who has not chosen a passkey: the button is still there.
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
