import type { Account } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { showCodes } from '../recovery/codes-dialog.tsx';
import { fewCodes } from '../recovery/codes-left.ts';
import { ReplaceCodesDialog } from '../security/replace-codes-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { hidden } from '../ui/hidden.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { Step } from './step.tsx';

interface CodesStepProps {
  user: Account;
  canAct: boolean;
  /** Whether this is the next step. Its button is then the primary button. */
  isNext: boolean;
}

/** Creates recovery codes. If some codes are left, first asks, because the new codes replace them. */
export function CodesStep({ user, canAct, isNext }: CodesStepProps) {
  const { refresh } = useAccount();
  const [asking, setAsking] = useState(false);
  const remaining = user.recoveryCodesRemaining;

  const create = useAction(async () => {
    const created = await auth.recovery.generateCodes();
    setAsking(false);
    // Refreshes before the dialog shows the codes, so that the page behind the dialog is current.
    void refresh();
    await showCodes(created, user.username);
    toast(t('home.codesCreated'));
  });

  if (remaining > fewCodes) {
    return (
      <Step done title={t('home.codesTitle')} action={canAct && <Manage />}>
        {t('home.codesDone', { count: remaining })}
      </Step>
    );
  }
  return (
    <Step
      done={false}
      title={remaining > 0 ? t('home.fewCodesTitle', { count: remaining }) : t('home.codesTitle')}
      action={
        canAct && (
          <Button
            variant={isNext ? 'primary' : 'secondary'}
            busy={create.busy}
            onClick={() => (remaining > 0 ? setAsking(true) : void create.run())}
          >
            {t(remaining > 0 ? 'home.createNewCodes' : 'home.createCodes')}
          </Button>
        )
      }
      notice={!asking && create.error !== null && <ErrorNotice error={create.error} words={words()} />}
    >
      {t(remaining > 0 ? 'home.fewCodesBody' : 'home.codesBody')}
      {asking && (
        <ReplaceCodesDialog
          action={create}
          words={words()}
          onClose={() => {
            create.forget();
            setAsking(false);
          }}
        />
      )}
    </Step>
  );
}

const Manage = () => (
  <a class="card__link" href="/settings/security">
    <T id="home.manageCodes" values={{ hidden }} />
  </a>
);

const words = (): Record<string, Explanation> => ({
  ceremony_canceled: {
    tone: 'info',
    title: t('home.codesCanceledTitle'),
    body: t('home.codesCanceledBody'),
  },
});
