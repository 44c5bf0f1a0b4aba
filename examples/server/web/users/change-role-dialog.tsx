import type { Role } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { roleNames } from '../roles.ts';
import { capabilityScopes, hasAdminInvitations, impersonation, signUpMode } from '../site-settings.ts';
import { useAction } from '../use-action.ts';
import { roleHint } from './role-hints.ts';
import type { UserDialogProps } from './user-actions.ts';

const roles = Object.keys(roleNames) as Role[];
const settings = { capabilityScopes, impersonation, hasAdminInvitations, signUpMode };

export function ChangeRoleDialog(props: UserDialogProps & { isMe: boolean }) {
  const { user, isMe, onClose, onChanged } = props;
  const { refresh } = useAccount();
  const [role, setRole] = useState<Role>(user.role);
  const change = useAction(async () => {
    if (role === user.role) return onClose();
    const changed = await auth.users.changeRole(user.id, role);
    onChanged(changed, `Role changed to ${roleNames[changed.role].toLowerCase()}.`);
    if (isMe) await refresh();
  });

  return (
    <ConfirmDialog title={`Role of ${user.username}`} confirm="Change role" action={change} onClose={onClose}>
      <fieldset class="radios">
        <legend class="visually-hidden">Role of {user.username}</legend>
        {roles.map((option) => (
          <label class="radio" key={option}>
            <input
              type="radio"
              name="role"
              class="radio__dot"
              checked={role === option}
              onChange={() => setRole(option)}
            />
            <span>
              <span class="radio__name">{roleNames[option]}</span>
              <span class="radio__hint">{roleHint(option, settings)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p>
        The change takes effect immediately.
        {isMe && role !== 'superadmin' && ' You can’t undo it yourself.'}
      </p>
    </ConfirmDialog>
  );
}
