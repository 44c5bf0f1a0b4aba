import type { Account } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../use-action.ts';

const words = (): Record<string, Explanation> => ({
  ceremony_canceled: {
    tone: 'info',
    title: t('security.passwordNotRemoved'),
    body: t('security.notConfirmed'),
  },
});

interface RemovePasswordDialogProps {
  user: Account;
  onClose: () => void;
  onRemoved: () => void;
}

export function RemovePasswordDialog({ user, onClose, onRemoved }: RemovePasswordDialogProps) {
  const remove = useAction(async () => {
    try {
      await auth.password.remove();
    } catch (error) {
      // The password was already removed in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    onRemoved();
  });

  if (user.passkeyCount === 0 || codeOf(remove.error) === 'last_credential') {
    return (
      <Dialog
        title={t('security.passwordNeededTitle')}
        onClose={onClose}
        actions={<Button onClick={onClose}>{t('common.close')}</Button>}
      >
        <p>{t('security.passwordNeededBody')}</p>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={t('security.removePasswordAsk')}
      confirm={t('security.removePassword')}
      danger
      action={remove}
      words={words()}
      onClose={onClose}
    >
      <p>{t('security.removePasswordBody')}</p>
    </ConfirmDialog>
  );
}
