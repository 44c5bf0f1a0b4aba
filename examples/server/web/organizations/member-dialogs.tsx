import type { Member, Organization, OrganizationRole } from 'latchkey/client';
import { ChangeMemberRoleDialog } from './change-member-role-dialog.tsx';
import { LeaveOrganizationDialog } from './leave-organization-dialog.tsx';
import { type MemberChange, MemberChangeDialog } from './member-change-dialog.tsx';

/** The member whose membership the user wants to change, and how. */
export interface AskedChange {
  member: Member;
  /** `change_role`: the dialog lets the user choose the role. */
  change: MemberChange | 'change_role' | 'leave';
}

interface MemberDialogsProps extends AskedChange {
  organization: Organization;
  /** The roles that the signed-in user can give. */
  roles: readonly OrganizationRole[];
  /** The id of the signed-in user. */
  myId: string;
  onClose: () => void;
  onChanged: (member: Member) => void;
  onGone: (member: Member) => void;
}

export function MemberDialogs({ change, roles, myId, onGone, ...props }: MemberDialogsProps) {
  const { member, organization, onClose } = props;
  if (change === 'change_role') return <ChangeMemberRoleDialog {...props} roles={roles} />;
  if (change === 'leave')
    return (
      <LeaveOrganizationDialog organization={organization} onClose={onClose} onLeft={() => onGone(member)} />
    );
  return <MemberChangeDialog {...props} change={change} isMe={member.user.id === myId} onGone={onGone} />;
}
