import type { Member, Organization, OrganizationRole } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';
import { memberGone } from './member-words.ts';
import { RoleField } from './role-field.tsx';

interface ChangeMemberRoleDialogProps {
  organization: Organization;
  member: Member;
  /** The roles that the signed-in user can give. */
  roles: readonly OrganizationRole[];
  onClose: () => void;
  onChanged: (member: Member) => void;
}

/** Lets the user choose a role, if the service has custom organization roles. */
export function ChangeMemberRoleDialog(props: ChangeMemberRoleDialogProps) {
  const { organization, member, roles, onClose, onChanged } = props;
  const [role, setRole] = useState(roles.includes(member.role) ? member.role : 'user');
  const change = useAction(async () =>
    onChanged(await auth.organizations.members.changeRole(organization.id, member.user.id, role)),
  );
  return (
    <ConfirmDialog
      title={t('organizations.chooseRoleTitle', { username: member.user.username })}
      confirm={t('organizations.changeRole')}
      action={change}
      words={memberGone()}
      onClose={onClose}
    >
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <RoleField roles={roles} role={role} onRole={setRole} />
      </form>
    </ConfirmDialog>
  );
}
