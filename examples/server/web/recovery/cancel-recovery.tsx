import type { Session } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

/** A button that ends the recovery session. The account does not change. */
export function CancelRecovery({ session }: { session: Session }) {
  const { signOut } = useAccount();
  const cancel = useAction(signOut);
  return (
    <div class="form form--close">
      <ErrorNotice error={cancel.error} />
      <Button wide busy={cancel.busy} onClick={() => void cancel.run()}>
        {t('recovery.cancel')}
      </Button>
      <p class="hint">
        {t('recovery.cancelHint', { by: session.method === 'assisted_recovery' ? 'link' : 'code' })}
      </p>
    </div>
  );
}
