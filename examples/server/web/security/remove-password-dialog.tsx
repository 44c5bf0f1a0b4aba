import type { Account } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  ceremony_canceled: {
    tone: 'info',
    title: 'The password was not removed',
    body: 'You didn’t confirm that it’s you. Try again when you’re ready.',
  },
};

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
        title="You can’t remove your password yet"
        onClose={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p>
          Without the password, you could no longer sign in. Add a passkey first. Then remove the password.
        </p>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title="Remove the password?"
      confirm="Remove password"
      danger
      action={remove}
      words={words}
      onClose={onClose}
    >
      <p>After that, you can sign in only with your passkeys. All your other sessions end.</p>
    </ConfirmDialog>
  );
}
