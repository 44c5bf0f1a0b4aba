import type { RecoveryLink } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Dialog } from '../components/dialog.tsx';
import { LinkOnce } from '../components/link-once.tsx';
import { formatExact } from '../dates.ts';
import { useAction } from '../use-action.ts';
import type { UserDialogProps } from './user-actions.ts';

export function RecoveryLinkDialog({ user, onClose, onChanged }: UserDialogProps) {
  const [link, setLink] = useState<RecoveryLink | null>(null);
  const make = useAction(async () => setLink(await auth.users.createRecoveryLink(user.id)));
  const done = () => onChanged(user, 'A recovery link was made.');

  if (!link) {
    return (
      <ConfirmDialog
        title={`Make a recovery link for ${user.username}?`}
        confirm="Make the link"
        action={make}
        onClose={onClose}
      >
        <p>
          Whoever has it gets into the account of <strong>{user.username}</strong>. Be sure who is asking:
          call them, or meet them.
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
      <p>
        It works once, until <time dateTime={link.expiresAt}>{formatExact(link.expiresAt)}</time>, and
        replaces any earlier one. They make a new passkey with it, and are signed out everywhere else.
      </p>
    </Dialog>
  );
}
