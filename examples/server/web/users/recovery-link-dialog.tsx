import type { RecoveryLink } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Dialog } from '../components/dialog.tsx';
import { LinkOnce } from '../components/link-once.tsx';
import { formatExact, formatStart } from '../dates.ts';
import { useAction } from '../use-action.ts';
import { helpWords } from './help-words.ts';
import type { UserDialogProps } from './user-actions.ts';

export function RecoveryLinkDialog({ user, onClose, onChanged }: UserDialogProps) {
  const [link, setLink] = useState<RecoveryLink | null>(null);
  const make = useAction(async () => setLink(await auth.users.createRecoveryLink(user.id)));
  const done = () => onChanged(user, 'A recovery link was made.');

  if (!link) {
    return (
      <ConfirmDialog
        title={`Make a recovery link for ${user.username}?`}
        confirm="Make recovery link"
        action={make}
        words={helpWords}
        onClose={onClose}
      >
        <p>
          The link opens the account of <strong>{user.username}</strong>. Verify who is asking: call them or
          meet in person.
        </p>
        <p>
          <strong>{user.username}</strong> sees on every signed-in device that you made a link, and can cancel
          it.
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      title={`Recovery link for ${user.username}`}
      onClose={done}
      actions={<Button onClick={done}>Done</Button>}
    >
      <LinkOnce label={`Link for ${user.username}`} url={link.url} />
      {isWaiting(link) && (
        <p>
          It works <strong>from {formatStart(link.usableAt)}</strong>. Tell {user.username} not to open it
          before then.
        </p>
      )}
      <p>
        It works once, until <time dateTime={link.expiresAt}>{formatExact(link.expiresAt)}</time>, and
        replaces any earlier one. The user opens it, makes a new passkey and chooses which passkeys and
        password to keep. All other devices are signed out.
      </p>
      <p>{user.username} sees the link on every signed-in device, and can cancel it there.</p>
    </Dialog>
  );
}

/** Whether the service delays the link, so that the account's user has time to cancel it. */
const isWaiting = ({ usableAt }: RecoveryLink): boolean => Date.parse(usableAt) > Date.now();
