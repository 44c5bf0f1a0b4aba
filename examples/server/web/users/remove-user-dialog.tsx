import type { User } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
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
      // The account was already deleted, for instance in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    onRemoved(user);
  });
  return (
    <ConfirmDialog
      title={`Delete ${user.username}?`}
      confirm="Delete account"
      danger
      typed={{ what: 'the username', expected: user.username }}
      action={remove}
      onClose={onClose}
    >
      <p>
        This permanently deletes the account of <strong>{user.username}</strong>, with all passkeys, sessions
        and memberships. The username can’t be used again. The audit log keeps the user’s events.
      </p>
    </ConfirmDialog>
  );
}
