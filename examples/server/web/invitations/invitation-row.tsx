import type { Invitation } from 'latchkey/client';
import { Link2 } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Badge, StatusDot } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { hidden } from '../ui/hidden.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { expiresSoon, purposeName, statusName } from './invitation-status.ts';

/** @param showsPurpose whether the list contains invitations for different roles */
export const invitationColumns = (showsPurpose: boolean): Column[] => [
  { name: t('invitations.columnInvitee') },
  ...(showsPurpose ? [{ name: t('invitations.columnPurpose') }] : []),
  { name: t('invitations.columnStatus') },
  { name: t('invitations.columnCreated'), shownFrom: 'medium' },
  { name: t('invitations.columnEnds') },
  { name: t('invitations.columnActions'), isHidden: true },
];

interface InvitationRowProps {
  invitation: Invitation;
  showsPurpose: boolean;
  onRevoke: () => void;
}

export const InvitationRow = ({ invitation, showsPurpose, onRevoke }: InvitationRowProps) => {
  const { id, role, status, createdBy, createdAt } = invitation;
  return (
    <tr>
      <th scope="row" id={`invitation-${id}`} tabIndex={-1}>
        <Invitee invitation={invitation} />
      </th>
      {showsPurpose && <td>{purposeName(role)}</td>}
      <td>
        <StatusDot state={dots[status]}>{statusName(status)}</StatusDot>
      </td>
      <td class="table__cell--medium">
        <span class="table__label">{t('invitations.columnCreated')} </span>
        <T
          id="invitations.createdBy"
          values={{
            by: createdBy ? 'user' : 'operator',
            when: <Time at={createdAt} />,
            name: <bdi>{createdBy?.username}</bdi>,
          }}
        />
      </td>
      <td data-phone={status === 'revoked' ? 'hidden' : undefined}>
        <Ending invitation={invitation} />
      </td>
      <td class="table__menu">
        {status === 'pending' && (
          <Button variant="danger-quiet" size="small" onClick={onRevoke}>
            <RevokeLabel invitation={invitation} />
          </Button>
        )}
      </td>
    </tr>
  );
};

const dots = { pending: 'waiting', accepted: 'on', revoked: 'off', expired: 'off' } as const;

const Invitee = ({ invitation: { username } }: { invitation: Invitation }) => (
  <div class="person">
    {username === null ? (
      <span class="avatar avatar--person invitee__link">
        <Icon of={Link2} />
      </span>
    ) : (
      <Avatar name={username} />
    )}
    <div class="person__name">{username === null ? t('invitations.anyone') : <bdi>{username}</bdi>}</div>
  </div>
);

/** When a pending invitation expires, or when the invitation was accepted and by whom. */
function Ending({ invitation }: { invitation: Invitation }) {
  const { status, expiresAt, acceptedAt, acceptedBy } = invitation;
  if (acceptedAt) {
    return (
      <T
        id="invitations.acceptedBy"
        values={{
          by: acceptedBy ? 'user' : 'deleted',
          when: <Time at={acceptedAt} />,
          name: <bdi>{acceptedBy?.username}</bdi>,
        }}
      />
    );
  }
  if (status === 'revoked') return <>{t('invitations.notAvailable')}</>;
  return (
    <span class="invitation__end">
      <span>
        <span class="table__label">
          {status === 'expired' ? statusName(status) : t('invitations.columnEnds')}{' '}
        </span>
        <Time at={expiresAt} />
      </span>
      {expiresSoon(invitation) && <Badge tone="warning">{t('invitations.expiresSoon')}</Badge>}
    </span>
  );
}

const RevokeLabel = ({ invitation: { username } }: { invitation: Invitation }) =>
  username === null ? (
    <T id="invitations.revokeOfAnyone" values={{ hidden }} />
  ) : (
    <T id="invitations.revokeOf" values={{ name: username, hidden }} />
  );
