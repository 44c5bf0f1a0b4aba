import { type Account, AuthClientError } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { formatStart } from '../dates.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { StepHeading } from './step-heading.tsx';

const dead: Explanation = {
  tone: 'danger',
  title: 'This link no longer works',
  body: 'It was used, replaced or canceled, or it has expired. Ask for a new one.',
};

const waiting = (start: string): Explanation => ({
  tone: 'info',
  title: `This link works from ${formatStart(start)}`,
  body: 'Open it again at that time; you can close this page. Until then, the account’s user can cancel the link.',
});

interface LinkStepProps {
  token: string;
  /** The user who is already signed in here. The link may be for another account. */
  user: Account | null;
  onForget: () => void;
}

/** Step 1 with a link. Only the button uses it: opening the page by accident, or by a link scanner, does not. */
export function LinkStep({ token, user, onForget }: LinkStepProps) {
  const { refresh } = useAccount();
  const [start, setStart] = useState<string | null>(null);
  const recover = useAction(async () => {
    try {
      await auth.recovery.useLink(token);
    } catch (error) {
      setStart(startAfter(error));
      throw error;
    }
    onForget();
    await refresh();
  });

  const words = { authentication_failed: dead, ...(start && { recovery_link_waiting: waiting(start) }) };
  const isDead = codeOf(recover.error) === 'authentication_failed';

  return (
    <>
      <StepHeading step={1} title="Access your account" />
      <p class="entrance__lead">Use this link once to make a new passkey for your account.</p>
      {user && !isDead && (
        <p>
          You’re signed in here as <strong>{user.username}</strong>. If you continue, that account is signed
          out in this browser.
        </p>
      )}
      <ErrorNotice error={recover.error} words={words} />
      <div class="form form--close">
        {!isDead && (
          <Button variant="primary" wide busy={recover.busy} onClick={() => void recover.run()}>
            Continue
          </Button>
        )}
        <Button wide onClick={onForget}>
          {user ? 'Stay signed in' : 'Use a recovery code instead'}
        </Button>
      </div>
    </>
  );
}

/** When a link that is not usable yet becomes usable; null for other errors. */
function startAfter(error: unknown): string | null {
  if (!(error instanceof AuthClientError) || error.code !== 'recovery_link_waiting') return null;
  if (error.retryAfterSeconds === undefined) return null;
  return new Date(Date.now() + error.retryAfterSeconds * 1000).toISOString();
}
