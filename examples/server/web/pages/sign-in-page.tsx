import { passkeyObstacle } from 'latchkey/client';
import { ChevronRight, RectangleEllipsis, Ticket, UserRoundKey } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { PasskeyObstacleNotice } from '../components/passkey-obstacle-notice.tsx';
import { VisitorsOnly } from '../components/visitors-only.tsx';
import { accountDisabled } from '../entrance/account-disabled.ts';
import { Entrance } from '../entrance/entrance.tsx';
import { SetupNotice } from '../entrance/setup-notice.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { Icon } from '../icons/icon.tsx';
import { withReturnPath } from '../return-path.ts';
import { SessionEndedNotice } from '../session-ended/session-ended-notice.tsx';
import { brandName, signUpMode } from '../site-settings.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  account_disabled: accountDisabled,
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
        <p class="entrance__lead">
          Sign in to <bdi>{brandName}</bdi> with your fingerprint, face or screen lock. There’s no password to
          remember or steal.
        </p>
        <SetupNotice />
        <SessionEndedNotice />
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

/** Offers sign-in with a passkey, and the other ways to sign in. */
const WaysIn = ({ to }: { to: string | undefined }) => (
  <>
    {passkeyObstacle() === null ? <SignInForm /> : <PasskeyObstacleNotice />}
    <OtherWays to={to} />
  </>
);

const OtherWays = ({ to }: { to: string | undefined }) => (
  <div>
    <p class="other-ways__heading" id="other-ways">
      Other ways to sign in
    </p>
    <ul class="other-ways" aria-labelledby="other-ways">
      <OtherWay icon={RectangleEllipsis} href={withReturnPath('/signin/password', to)}>
        Use your password
      </OtherWay>
      <OtherWay icon={Ticket} href="/recover">
        Use a recovery code
      </OtherWay>
    </ul>
  </div>
);

interface OtherWayProps {
  icon: string;
  href: string;
  children: ComponentChildren;
}

const OtherWay = ({ icon, href, children }: OtherWayProps) => (
  <li>
    <a class="other-ways__link" href={href}>
      <Icon of={icon} />
      {children}
      <Icon of={ChevronRight} />
    </a>
  </li>
);

function SignInForm() {
  const { state, refresh } = useAccount();
  const [username, setUsername] = useState(state.status === 'signed-out' ? (state.endedFor ?? '') : '');
  const autofill = useAutofill();
  const signIn = useAction(async () => {
    autofill.forget();
    try {
      await auth.signIn({ username: username.trim() || undefined });
    } catch (error) {
      autofill.restart();
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
        {!signIn.busy && <Icon of={UserRoundKey} />}
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
        if (!['authentication_failed', 'account_disabled'].includes(codeOf(failure))) return;
        setError(failure);
        if (round < mostFailures) restart();
      }
    };
    void offer();
    return () => controller.abort();
  }, [round, refresh]);

  return { error, restart, forget: () => setError(null) };
}
