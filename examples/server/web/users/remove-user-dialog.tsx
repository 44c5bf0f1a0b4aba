import type { User } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';
import { subjectOf } from './subject.tsx';

interface RemoveUserDialogProps {
  user: User;
  onClose: () => void;
  onRemoved: (user: User) => void;
}

export function RemoveUserDialog({ user, onClose, onRemoved }: RemoveUserDialogProps) {
  const name = user.username;
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
      title={t('users.deleteTitle', { name })}
      {...subjectOf(user)}
      confirm={t('users.delete')}
      danger
      typed={{ what: t('users.deleteTyped'), expected: name }}
      action={remove}
      onClose={onClose}
    >
      <p>
        <T id="users.deleteConsequence" values={{ name: <strong>{name}</strong> }} />
      </p>
    </ConfirmDialog>
  );
}
