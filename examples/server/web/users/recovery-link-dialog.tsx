import type { RecoveryLink } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { LinkOnce } from '../components/link-once.tsx';
import { formatExact, formatStart } from '../dates.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../use-action.ts';
import { helpWords } from './help-words.ts';
import type { UserDialogProps } from './user-actions.ts';

export function RecoveryLinkDialog({ user, onClose, onChanged }: UserDialogProps) {
  const [link, setLink] = useState<RecoveryLink | null>(null);
  const create = useAction(async () => setLink(await auth.users.createRecoveryLink(user.id)));
  const done = () => onChanged(user, 'Recovery link created');

  if (!link) {
    return (
      <ConfirmDialog
        title={`Create a recovery link for ${user.username}?`}
        confirm="Create recovery link"
        action={create}
        words={helpWords}
        onClose={onClose}
      >
        <p>
          Anyone with the link can take over the account of <strong>{user.username}</strong>. First call or
          meet <strong>{user.username}</strong> to verify the request.
        </p>
        <p>
          <strong>{user.username}</strong> sees a notice in every session, and can cancel the link.
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
          The link works <strong>from {formatStart(link.usableAt)}</strong>. Tell {user.username} not to open
          it before then.
        </p>
      )}
      <p>
        The link works once, until <time dateTime={link.expiresAt}>{formatExact(link.expiresAt)}</time>. It
        replaces any earlier recovery link.
      </p>
      <p>
        After opening the link, {user.username} chooses which passkeys to keep and whether to keep the
        password. Then {user.username} adds a new passkey, and all other sessions end.
      </p>
      <p>{user.username} sees a notice in every session, and can cancel the link.</p>
    </Dialog>
  );
}

/** Whether the link does not work yet. A delay gives the account's user time to cancel the link. */
const isWaiting = ({ usableAt }: RecoveryLink): boolean => Date.parse(usableAt) > Date.now();
