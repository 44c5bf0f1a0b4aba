import type { Account } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  authentication_failed: {
    tone: 'danger',
    title: 'This link doesn’t work any more',
    body: 'It works once and for a limited time, and a newer one replaces it. Ask for another one.',
  },
};

interface LinkStepProps {
  token: string;
  /** Somebody who is signed in here already; the link may be for another account. */
  user: Account | null;
  onForget: () => void;
}

/** Step 1 for who has a link. A button, so that opening the link by accident, or a robot that looks, does not spend it. */
export function LinkStep({ token, user, onForget }: LinkStepProps) {
  const { refresh } = useAccount();
  const recover = useAction(async () => {
    await auth.recovery.useLink(token);
    onForget();
    await refresh();
  });

  const isDead = codeOf(recover.error) === 'authentication_failed';

  return (
    <>
      <StepHeading step={1} title="Get into your account" />
      <p class="entrance__lead">
        You’ve been sent a link that lets you into your account once, to make a passkey.
      </p>
      {user && !isDead && (
        <p>
          You’re signed in here as <strong>{user.username}</strong>. Going on signs that account out in this
          browser.
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
