import type { Account } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { showCodes } from './codes-dialog.tsx';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  ceremony_cancelled: {
    tone: 'info',
    title: 'No new codes were made',
    body: 'You did not confirm that it’s you. The earlier codes still work.',
  },
};

/**
 * Step 4, behind the dialog that shows the new codes. After a reload, or in another tab, it stands alone: the codes
 * exist, and cannot be shown again.
 */
export function CodesStep({ user }: { user: Account }) {
  const { route } = useLocation();
  const { refresh } = useAccount();
  const left = user.recoveryCodesRemaining;
  const finish = () => route('/?recovered', true);
  const generate = useAction(async () => {
    await showCodes(await auth.recovery.generateCodes(), user.username);
    await refresh();
    finish();
  });

  return (
    <>
      <StepHeading step={4} title="Your recovery codes" />
      <p class="entrance__lead">
        Your new passkey works.{' '}
        {left > 0 ? (
          <>
            {left === 1 ? '1 recovery code exists' : `${left} recovery codes exist`}, and this page can’t show
            the codes again. If you did not save them, make new ones: they replace the earlier ones.
          </>
        ) : (
          <>You have no recovery codes. Make some: they let you back in if you lose every passkey.</>
        )}
      </p>
      <ErrorNotice error={generate.error} words={words} />
      <div class="form form--close">
        <Button variant="primary" wide busy={generate.busy} onClick={() => void generate.run()}>
          {left > 0 ? 'Make new recovery codes' : 'Make recovery codes'}
        </Button>
        <Button wide onClick={finish}>
          Go to your account
        </Button>
      </div>
    </>
  );
}
