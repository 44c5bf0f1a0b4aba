import type { Passkey } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Dialog } from '../components/dialog.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  ceremony_cancelled: {
    tone: 'info',
    title: 'The passkey is still there',
    body: 'You didn’t confirm that it’s you. Try again when you’re ready.',
  },
};

interface RemovePasskeyDialogProps {
  passkey: Passkey;
  isOnlyOne: boolean;
  onClose: () => void;
  onRemoved: (removed: Passkey) => void;
  onAddAnother: () => void;
}

export function RemovePasskeyDialog(props: RemovePasskeyDialogProps) {
  const { passkey, isOnlyOne, onClose, onRemoved, onAddAnother } = props;
  const { state } = useAccount();
  const hasAnotherWayIn = state.status === 'signed-in' && state.user.hasPassword;
  const remove = useAction(async () => {
    try {
      await auth.passkeys.remove(passkey.id);
    } catch (error) {
      // Removed meanwhile, in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    onRemoved(passkey);
  });

  if ((isOnlyOne && !hasAnotherWayIn) || codeOf(remove.error) === 'last_credential') {
    return <LastWayInDialog passkey={passkey} onClose={onClose} onAddAnother={onAddAnother} />;
  }
  return (
    <ConfirmDialog
      title="Remove this passkey?"
      confirm="Remove passkey"
      danger
      action={remove}
      words={words}
      onClose={onClose}
    >
      <p>
        You can’t sign in with <strong dir="auto">{passkey.label}</strong> any more, and you are signed out on
        all other devices. {whereItRemains(passkey)} may go on offering it until you delete it there too.
      </p>
      {isOnlyOne && (
        <p>
          From then on your password is the only way in. A password can be guessed or stolen, and wrong
          attempts can block it.
        </p>
      )}
    </ConfirmDialog>
  );
}

const whereItRemains = ({ provider }: Passkey) => provider ?? 'The device that holds it';

type LastWayInDialogProps = Pick<RemovePasskeyDialogProps, 'passkey' | 'onClose' | 'onAddAnother'>;

function LastWayInDialog({ passkey, onClose, onAddAnother }: LastWayInDialogProps) {
  return (
    <Dialog
      title="This is your only way in"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={onAddAnother}>
            Add a passkey
          </Button>
        </>
      }
    >
      <p>
        Without <strong dir="auto">{passkey.label}</strong> you couldn’t sign in any more. Add another passkey
        first, on a different device or a security key; then this one can go.
      </p>
    </Dialog>
  );
}
