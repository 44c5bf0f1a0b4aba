import type { Account } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { type Explanation, explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { showCodes } from './codes-dialog.tsx';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  ceremony_canceled: explanation('info', 'recovery.noNewCodesTitle', 'recovery.noNewCodesBody'),
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
      <StepHeading step={4} title={t('recovery.codesTitle')} />
      <p class="entrance__lead">{t('recovery.codesLead', { count: left })}</p>
      <ErrorNotice error={generate.error} words={words} />
      <div class="form form--close">
        <Button variant="primary" wide busy={generate.busy} onClick={() => void generate.run()}>
          {t(left > 0 ? 'recovery.createNewCodes' : 'recovery.createCodes')}
        </Button>
        <Button wide onClick={finish}>
          {t('common.goToAccount')}
        </Button>
      </div>
    </>
  );
}
