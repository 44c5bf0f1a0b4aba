import type { Member, Organization } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { auth } from '../auth.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';

/** A change of a membership. */
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
  switch (change) {
    case 'promote':
      return {
        title: `Make ${name} an admin?`,
        confirm: 'Make admin',
        body: <>Admins of {where} can invite and remove members, and rename or delete the organization.</>,
      };
    case 'demote':
      return {
        title: `Make ${name} a plain member?`,
        confirm: 'Make plain member',
        body: isMe ? (
          <>You stay a member of {where}, but can no longer manage it. Only another admin can undo this.</>
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
            {who} loses access to {where}, but keeps the account.
          </>
        ),
      };
    default:
      return {
        title: `Leave ${organization}?`,
        confirm: 'Leave organization',
        danger: true,
        body: <>You lose access to it. To join again, you need an invitation from one of its admins.</>,
      };
  }
}

const words: Record<string, Explanation> = {
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
    <ConfirmDialog {...wording} action={run} words={words} onClose={onClose}>
      <p>{body}</p>
    </ConfirmDialog>
  );
}
