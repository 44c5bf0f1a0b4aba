import type { Member, Organization } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { listOf } from '../list-of.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';
import { rightsOfAdminsOnly } from './role-rights.ts';

/** How to change a membership. */
export type MemberChange = 'promote' | 'demote' | 'remove' | 'leave';

interface Wording {
  title: string;
  confirm: string;
  danger?: boolean;
  body: ComponentChildren;
}

function wordingOf(change: MemberChange, name: string, organization: string, isMe: boolean): Wording {
  const who = <strong>{name}</strong>;
  const where = <strong>{organization}</strong>;
  const rights = rightsOfAdminsOnly();
  switch (change) {
    case 'promote':
      return {
        title: `Change the role of ${name} to organization admin?`,
        confirm: 'Change role',
        body: (
          <>
            {who} is then an organization admin of {where}
            {rights.length > 0 && `, and can ${listOf(rights)}`}.
          </>
        ),
      };
    case 'demote':
      return {
        title: `Change the role of ${name} to member?`,
        confirm: 'Change role',
        body: isMe ? (
          <>
            You stay a member of {where}, but no longer as an organization admin. Another organization admin
            or a superadmin can undo this.
          </>
        ) : (
          <>
            {who} stays a member of {where}, but can no longer manage it.
          </>
        ),
      };
    case 'remove':
      return {
        title: `Remove ${name}?`,
        confirm: 'Remove member',
        danger: true,
        body: (
          <>
            {who} loses access to {where}. The account of {who} remains.
          </>
        ),
      };
    default:
      return {
        title: `Leave ${organization}?`,
        confirm: 'Leave organization',
        danger: true,
        body: <>You lose access to {where}. To join again, you need an invitation.</>,
      };
  }
}

/** Explains an error: the user is no longer a member. */
export const memberGone: Record<string, Explanation> = {
  not_found: {
    tone: 'info',
    title: 'That user is no longer a member',
    body: 'The user left or was removed. Reload the page to see the members.',
  },
};

interface MemberChangeDialogProps {
  organization: Organization;
  member: Member;
  change: MemberChange;
  isMe: boolean;
  onClose: () => void;
  onChanged: (member: Member) => void;
  onGone: (member: Member) => void;
}

export function MemberChangeDialog(props: MemberChangeDialogProps) {
  const { organization, member, change, isMe, onClose, onChanged, onGone } = props;
  const { body, ...wording } = wordingOf(change, member.user.username, organization.name, isMe);
  const run = useAction(async () => {
    const { members } = auth.organizations;
    if (change === 'promote' || change === 'demote') {
      const role = change === 'promote' ? 'admin' : 'user';
      onChanged(await members.changeRole(organization.id, member.user.id, role));
    } else {
      if (change === 'leave') await auth.organizations.leave(organization.id);
      else await members.remove(organization.id, member.user.id);
      onGone(member);
    }
  });
  return (
    <ConfirmDialog
      {...wording}
      asksForPasskey={change !== 'leave'}
      action={run}
      words={memberGone}
      onClose={onClose}
    >
      <p>{body}</p>
    </ConfirmDialog>
  );
}
