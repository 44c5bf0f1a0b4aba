import { type Account, AuthClientError } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { formatStart } from '../dates.ts';
import { codeOf, type Explanation, explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { StepHeading } from './step-heading.tsx';

const dead = explanation('danger', 'recovery.deadLinkTitle', 'recovery.deadLinkBody');

const waiting = (start: string): Explanation => ({
  tone: 'info',
  title: t('recovery.waitingTitle', { start: formatStart(start) }),
  body: t('recovery.waitingBody'),
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
      <StepHeading step={1} title={t('recovery.linkTitle')} />
      <p class="entrance__lead">{t('recovery.linkLead')}</p>
      {user && !isDead && (
        <p>
          <T id="recovery.signedInAs" values={{ username: <strong>{user.username}</strong> }} />
        </p>
      )}
      <ErrorNotice error={recover.error} words={words} />
      <div class="form form--close">
        {!isDead && (
          <Button variant="primary" wide busy={recover.busy} onClick={() => void recover.run()}>
            {t('recovery.continue')}
          </Button>
        )}
        <Button wide onClick={onForget}>
          {t(user ? 'recovery.staySignedIn' : 'recovery.codeInstead')}
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
