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
      await auth.users.remove(user.id);
    } catch (error) {
      // Deleted meanwhile: what was wanted has come about.
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
        <strong>{user.username}</strong> is signed out everywhere, and the account is gone for ever, with
        every passkey and membership. Nobody can have the name again. What they did stays in the activity.
      </p>
    </TypedConfirmDialog>
  );
}
