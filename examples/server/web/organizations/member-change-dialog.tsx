import type { Member, Organization } from 'latchkey/client';
import { auth } from '../auth.ts';
import { T, t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { useAction } from '../use-action.ts';
import { memberGone } from './member-words.ts';
import { rightsOfAdminsOnly } from './role-rights.ts';

/** How to change the membership of a user. */
export type MemberChange = 'promote' | 'demote' | 'remove';

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
  const { id, username, displayName } = member.user;
  const isRemoval = change === 'remove';
  const run = useAction(async () => {
    const { members } = auth.organizations;
    if (isRemoval) {
      await members.remove(organization.id, id);
      onGone(member);
    } else {
      const role = change === 'promote' ? 'admin' : 'user';
      onChanged(await members.changeRole(organization.id, id, role));
    }
  });
  return (
    <ConfirmDialog
      title={titleOf(change, username)}
      confirm={isRemoval ? t('organizations.removeMember') : t('organizations.changeRole')}
      danger={isRemoval}
      subject={<Avatar name={displayName ?? username} seed={username} size="large" />}
      action={run}
      words={memberGone()}
      onClose={onClose}
    >
      <Body change={change} username={username} organization={organization.name} isMe={isMe} />
    </ConfirmDialog>
  );
}

function titleOf(change: MemberChange, username: string): string {
  if (change === 'promote') return t('organizations.promoteTitle', { username });
  if (change === 'demote') return t('organizations.demoteTitle', { username });
  return t('organizations.removeTitle', { username });
}

interface BodyProps {
  change: MemberChange;
  username: string;
  organization: string;
  isMe: boolean;
}

function Body({ change, username, organization, isMe }: BodyProps) {
  const who = <strong dir="auto">{username}</strong>;
  const where = <strong dir="auto">{organization}</strong>;
  const rights = rightsOfAdminsOnly();
  if (change === 'remove')
    return (
      <Consequences
        of={[
          { kind: 'blocks', text: <T id="organizations.removeLoses" values={{ who, where }} /> },
          { kind: 'ends', text: t('organizations.removeInvitations') },
          { kind: 'stays', text: <T id="organizations.removeKeeps" values={{ who }} /> },
        ]}
      />
    );
  return (
    <p>
      {change === 'demote' && isMe && <T id="organizations.demoteMeBody" values={{ where }} />}
      {change === 'demote' && !isMe && <T id="organizations.demoteBody" values={{ who, where }} />}
      {change === 'promote' && rights === '' && <T id="organizations.promoteBody" values={{ who, where }} />}
      {change === 'promote' && rights !== '' && (
        <T id="organizations.promoteBodyRights" values={{ who, where, rights }} />
      )}
    </p>
  );
}
