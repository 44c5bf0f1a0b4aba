import { type Account, AuthClientError } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { formatStart } from '../dates.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { StepHeading } from './step-heading.tsx';

const dead: Explanation = {
  tone: 'danger',
  title: 'This link no longer works',
  body: 'It was used, replaced or canceled, or it has expired. Ask for a new recovery link.',
};

const waiting = (start: string): Explanation => ({
  tone: 'info',
  title: `This link works from ${formatStart(start)}`,
  body: 'You can close this page. Open the link again at that time. The delay gives the user of the account time to cancel an unwanted link.',
});

interface LinkStepProps {
  token: string;
  /** The user who is already signed in here. The link may be for another account. */
  user: Account | null;
  onForget: () => void;
}

/**
 * Step 1 with a recovery link. Only the button uses the link. A link scanner that opens the page does not use the link.
 */
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
      <p class="entrance__lead">
        With this link, you can add a new passkey to your account. The link works once.
      </p>
      {user && !isDead && (
        <p>
          You’re signed in here as <strong>{user.username}</strong>. If you continue, this session ends.
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

/** The time at which the link starts to work. Null if the error has another cause. */
function startAfter(error: unknown): string | null {
  if (!(error instanceof AuthClientError) || error.code !== 'recovery_link_waiting') return null;
  if (error.retryAfterSeconds === undefined) return null;
  return new Date(Date.now() + error.retryAfterSeconds * 1000).toISOString();
}
