import type { Account } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useAction } from '../use-action.ts';
import { showCodes } from './codes-dialog.tsx';
import { StepHeading } from './step-heading.tsx';

/** Step 3: the account is theirs again already; this is for the next time. */
export function CodesStep({ user, isNew }: { user: Account; isNew: boolean }) {
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
      <StepHeading step={3} title={isNew ? 'You’re in' : 'You’re back in'} />
      <p class="entrance__lead">
        {isNew ? (
          <>Your passkey works. Save recovery codes as well: if you lose it, they let you back in.</>
        ) : (
          <>
            Your new passkey works, and you’ve been signed out everywhere else. Save new recovery codes for
            the next time; they replace {left > 0 ? `the ${left} you have left` : 'all earlier ones'}.
          </>
        )}
      </p>
      <ErrorNotice error={generate.error} />
      <div class="form form--close">
        <Button variant="primary" wide busy={generate.busy} onClick={() => void generate.run()}>
          {isNew ? 'Get recovery codes' : 'Get new recovery codes'}
        </Button>
        <Button wide onClick={finish}>
          {left > 0 ? 'Keep the old ones' : 'Not now'}
        </Button>
      </div>
    </>
  );
}
