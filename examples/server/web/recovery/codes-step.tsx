import type { Account } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { showCodes } from './codes-dialog.tsx';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  ceremony_canceled: {
    tone: 'info',
    title: 'No new codes were created',
    body: 'You didn’t confirm that it’s you. The earlier codes still work.',
  },
};

/**
 * Step 4, behind the dialog that shows the new codes. After a reload or in another tab, the dialog is missing, because the
 * codes are shown only once.
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
            You have {left === 1 ? '1 recovery code' : `${left} recovery codes`}, which can’t be shown again.
            If you didn’t save them, create new codes. The new codes replace the earlier ones.
          </>
        ) : (
          <>You have no recovery codes. Create codes now, in case you lose all passkeys.</>
        )}
      </p>
      <ErrorNotice error={generate.error} words={words} />
      <div class="form form--close">
        <Button variant="primary" wide busy={generate.busy} onClick={() => void generate.run()}>
          {left > 0 ? 'Create new recovery codes' : 'Create recovery codes'}
        </Button>
        <Button wide onClick={finish}>
          Go to your account
        </Button>
      </div>
    </>
  );
}
