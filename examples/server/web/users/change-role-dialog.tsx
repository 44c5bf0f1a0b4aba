import type { Role } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { roleRefusal } from '../components/role-refusal.ts';
import { t } from '../messages/t.tsx';
import { roleNames } from '../roles.ts';
import { capabilityScopes, hasAdminInvitations, impersonation, signUpMode } from '../site-settings.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';
import { roleHint } from './role-hints.ts';
import { subjectOf } from './subject.tsx';
import type { UserDialogProps } from './user-actions.ts';

const roles: readonly Role[] = ['user', 'admin', 'superadmin'];
const settings = { capabilityScopes, impersonation, hasAdminInvitations, signUpMode };

export function ChangeRoleDialog(props: UserDialogProps & { isMe: boolean }) {
  const { user, isMe, onClose, onChanged } = props;
  const name = user.username;
  const { refresh } = useAccount();
  const [role, setRole] = useState<Role>(user.role);
  const change = useAction(async () => {
    if (role === user.role) return onClose();
    const changed = await auth.users.changeRole(user.id, role);
    const before = user.role;
    onChanged(
      changed,
      t('users.roleChanged', { name, role: changed.role }),
      // Users who lowered their own role may not raise it again.
      isMe ? undefined : () => auth.users.changeRole(user.id, before),
    );
    if (isMe) await refresh();
  });

  return (
    <ConfirmDialog
      title={t('users.roleTitle', { name })}
      {...subjectOf(user)}
      confirm={t('users.changeRole')}
      action={change}
      words={roleRefusal(change.error, t('users.rolePasskeys', { name }))}
      onClose={onClose}
    >
      <fieldset class="radios">
        <legend class="visually-hidden">{t('users.roleTitle', { name })}</legend>
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
      <p>{t(isMe && role !== 'superadmin' ? 'users.roleEffectOnMe' : 'users.roleEffect')}</p>
    </ConfirmDialog>
  );
}
