import { auth } from '../auth.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { useAction } from '../use-action.ts';
import { helpWords } from './help-words.ts';
import { subjectOf } from './subject.tsx';
import type { UserDialogProps } from './user-actions.ts';

export function EndSessionsDialog({ user, onClose, onChanged }: UserDialogProps) {
  const name = user.username;
  const end = useAction(async () => {
    const count = await auth.users.endSessions(user.id);
    onChanged(user, t('users.sessionsEnded', { count, name }));
  });
  const values = { name: <strong>{name}</strong> };
  return (
    <ConfirmDialog
      title={t('users.endSessionsTitle', { name })}
      {...subjectOf(user)}
      confirm={t('users.endSessions')}
      action={end}
      words={helpWords()}
      onClose={onClose}
    >
      <Consequences
        of={[
          { kind: 'ends', text: <T id="users.endSessionsEnds" values={values} /> },
          { kind: 'stays', text: <T id="users.canSignInAgain" values={values} /> },
        ]}
      />
    </ConfirmDialog>
  );
}
