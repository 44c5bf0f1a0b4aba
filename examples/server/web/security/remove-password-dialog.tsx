import type { Account } from 'latchkey/client';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Dialog } from '../components/dialog.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  ceremony_cancelled: {
    tone: 'info',
    title: 'The password is still there',
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
      // Removed meanwhile, in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    onRemoved();
  });

  if (user.passkeyCount === 0 || codeOf(remove.error) === 'last_credential') {
    return (
      <Dialog
        title="This is your only way in"
        onClose={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p>
          Without the password you couldn’t sign in any more. Add a passkey first; then the password can go.
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
      <p>You can then sign in only with your passkeys. You are signed out on all other devices.</p>
    </ConfirmDialog>
  );
}
