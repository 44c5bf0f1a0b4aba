import { auth } from '../auth.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { useAction } from '../use-action.ts';
import { subjectOf } from './subject.tsx';
import type { UserDialogProps } from './user-actions.ts';

export function EnableDialog({ user, onClose, onChanged }: UserDialogProps) {
  const name = user.username;
  const enable = useAction(async () =>
    onChanged(await auth.users.enable(user.id), t('users.enabled', { name })),
  );
  return (
    <ConfirmDialog
      title={t('users.enableTitle', { name })}
      {...subjectOf(user)}
      confirm={t('users.enable')}
      action={enable}
      onClose={onClose}
    >
      <Consequences
        of={[
          { kind: 'stays', text: <T id="users.canSignInAgain" values={{ name: <strong>{name}</strong> }} /> },
          { kind: 'stays', text: t('users.enableStays') },
        ]}
      />
    </ConfirmDialog>
  );
}
