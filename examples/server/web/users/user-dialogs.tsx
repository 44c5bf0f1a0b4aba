import type { User } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { ActionDialog, type SimpleAction } from './action-dialog.tsx';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import { ChooseActionDialog } from './choose-action-dialog.tsx';
import { ImpersonateDialog } from './impersonate-dialog.tsx';
import { RecoveryLinkDialog } from './recovery-link-dialog.tsx';
import { RemoveUserDialog } from './remove-user-dialog.tsx';
import type { UserAction, UserDialogProps } from './user-actions.ts';

interface UserDialogsProps extends UserDialogProps {
  me: User;
  onRemoved: (user: User) => void;
}

/** Offers the actions on a user, then shows the dialog for the chosen action. */
export function UserDialogs({ me, onRemoved, ...rest }: UserDialogsProps) {
  const [action, setAction] = useState<UserAction | null>(null);
  switch (action) {
    case null:
      return <ChooseActionDialog user={rest.user} me={me} onClose={rest.onClose} onChoose={setAction} />;
    case 'role':
      return <ChangeRoleDialog {...rest} isMe={me.id === rest.user.id} />;
    case 'recovery':
      return <RecoveryLinkDialog {...rest} />;
    case 'impersonate':
      return <ImpersonateDialog user={rest.user} onClose={rest.onClose} />;
    case 'remove':
      return <RemoveUserDialog user={rest.user} onClose={rest.onClose} onRemoved={onRemoved} />;
    default:
      return <ActionDialog {...rest} action={action satisfies SimpleAction} />;
  }
}
