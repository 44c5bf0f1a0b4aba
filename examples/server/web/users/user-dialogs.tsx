import type { User } from 'latchkey/client';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { EnableDialog } from './enable-dialog.tsx';
import { EndSessionsDialog } from './end-sessions-dialog.tsx';
import { ImpersonateDialog } from './impersonate-dialog.tsx';
import { RecoveryLinkDialog } from './recovery-link-dialog.tsx';
import { RemoveUserDialog } from './remove-user-dialog.tsx';
import type { UserAction, UserDialogProps } from './user-actions.ts';

interface UserDialogsProps extends UserDialogProps {
  me: User;
  action: UserAction;
  onRemoved: (user: User) => void;
}

/** The dialog for an action on a user. */
export function UserDialogs({ me, action, onRemoved, ...rest }: UserDialogsProps) {
  switch (action) {
    case 'role':
      return <ChangeRoleDialog {...rest} isMe={me.id === rest.user.id} />;
    case 'recovery':
      return <RecoveryLinkDialog {...rest} />;
    case 'sessions':
      return <EndSessionsDialog {...rest} />;
    case 'impersonate':
      return <ImpersonateDialog user={rest.user} onClose={rest.onClose} />;
    case 'disable':
      return <DisableDialog {...rest} />;
    case 'enable':
      return <EnableDialog {...rest} />;
    default:
      return <RemoveUserDialog user={rest.user} onClose={rest.onClose} onRemoved={onRemoved} />;
  }
}
