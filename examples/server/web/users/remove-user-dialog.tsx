import type { User } from 'latchkey/client';
import { auth } from '../auth.ts';
import { TypedConfirmDialog } from '../components/typed-confirm-dialog.tsx';
import { codeOf } from '../explain.ts';
import { useAction } from '../use-action.ts';

interface RemoveUserDialogProps {
  user: User;
  onClose: () => void;
  onRemoved: (user: User) => void;
}

export function RemoveUserDialog({ user, onClose, onRemoved }: RemoveUserDialogProps) {
  const remove = useAction(async () => {
    try {
      await auth.users.delete(user.id);
    } catch (error) {
      // Already deleted, for instance in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    onRemoved(user);
  });
  return (
    <TypedConfirmDialog
      title={`Delete ${user.username}?`}
      confirm="Delete account"
      what="the username"
      expected={user.username}
      action={remove}
      onClose={onClose}
    >
      <p>
        Permanently deletes the account of <strong>{user.username}</strong>, with all passkeys and
        memberships, and signs the user out everywhere. The username can’t be used again. The activity keeps
        the user’s events.
      </p>
    </TypedConfirmDialog>
  );
}
