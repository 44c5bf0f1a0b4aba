import type { Passkey } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  ceremony_canceled: {
    tone: 'info',
    title: 'The passkey was not removed',
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
      // The passkey was already removed in another tab.
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
      <Consequences
        of={[
          {
            kind: 'blocks',
            text: (
              <>
                You can no longer sign in with <strong dir="auto">{passkey.label}</strong>.
              </>
            ),
          },
          { kind: 'ends', text: 'All your other sessions end.' },
          {
            kind: 'stays',
            text: `${whereItRemains(passkey)} may offer the passkey until you delete it there too.`,
          },
        ]}
      />
      {isOnlyOne && (
        <p>
          After that, you can sign in only with your password. A password can be guessed or stolen. Too many
          attempts block password sign-in for a while.
        </p>
      )}
    </ConfirmDialog>
  );
}

const whereItRemains = ({ provider }: Passkey) => provider ?? 'Your device';

type LastWayInDialogProps = Pick<RemovePasskeyDialogProps, 'passkey' | 'onClose' | 'onAddAnother'>;

function LastWayInDialog({ passkey, onClose, onAddAnother }: LastWayInDialogProps) {
  return (
    <Dialog
      title="You can’t remove your only passkey"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={onAddAnother}>
            Add passkey
          </Button>
        </>
      }
    >
      <p>
        Without <strong dir="auto">{passkey.label}</strong>, you could no longer sign in. Add another passkey
        first, on a different device or a security key. Then remove this passkey.
      </p>
    </Dialog>
  );
}
