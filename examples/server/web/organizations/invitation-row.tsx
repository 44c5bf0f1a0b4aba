import type { OrganizationInvitation } from 'latchkey/client';
import { AtSign, Link2, X } from 'lucide-static';
import { formatExact } from '../dates.ts';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Time } from '../ui/time.tsx';
import { daysUntil, inviteeOf, statusName, statusTones } from './invitation-words.ts';

interface InvitationRowProps {
  invitation: OrganizationInvitation;
  /** The id of the signed-in user. */
  myId: string;
  /** The link. Known only until the user leaves the page, because the service shows a link only once. */
  url: string | undefined;
  /** Absent: all rows have the same status. */
  showsStatus?: boolean;
  onRevoke: () => void;
}

/** An invitation to an organization, with what an admin can do with it. */
export function InvitationRow({ invitation, myId, url, showsStatus, onRevoke }: InvitationRowProps) {
  const { id, status, username } = invitation;
  const invitee = inviteeOf(invitation);
  return (
    <li class="row row--compact row--invitation">
      <span class="row__icon row__icon--info">
        <Icon of={username === null ? Link2 : AtSign} />
      </span>
      <div class="row__text">
        <h3 class="row__title" id={`invitation-${id}`} tabIndex={-1}>
          {username === null ? t('organizations.anyoneTitle') : <bdi>{username}</bdi>}
          {showsStatus && <Badge tone={statusTones[status]}>{statusName(status)}</Badge>}
        </h3>
        <Facts invitation={invitation} myId={myId} />
      </div>
      {status === 'pending' && (
        <div class="row__actions">
          {url !== undefined && <CopyButton text={url} what={t('organizations.copiedLink')} />}
          <IconButton icon={X} label={t('organizations.revokeFor', { invitee })} onClick={onRevoke} />
        </div>
      )}
    </li>
  );
}

function Facts({ invitation, myId }: { invitation: OrganizationInvitation; myId: string }) {
  const { role, status, username, createdBy, createdAt, expiresAt, acceptedBy, acceptedAt } = invitation;
  const isMine = createdBy?.id === myId;
  const by = <bdi>{createdBy?.username ?? t('organizations.anOperator')}</bdi>;
  return (
    <p class="row__meta row__facts">
      <span>{organizationRoleName(role)}</span>
      <span>
        {isMine ? t('organizations.invitedByYou') : <T id="organizations.invitedBy" values={{ by }} />}
      </span>
      {username === null && status === 'pending' && <span>{t('organizations.worksOnce')}</span>}
      {status === 'pending' && <Expiry at={expiresAt} />}
      {status === 'expired' && (
        <span>
          <T id="organizations.expired" values={{ time: <Time at={expiresAt} /> }} />
        </span>
      )}
      {status !== 'pending' && status !== 'expired' && status !== 'accepted' && (
        <span>
          <T id="organizations.created" values={{ time: <Time at={createdAt} /> }} />
        </span>
      )}
      {acceptedAt && (
        <span>
          <T
            id="organizations.acceptedBy"
            values={{
              time: <Time at={acceptedAt} />,
              by: <bdi>{acceptedBy?.username ?? t('organizations.deletedUser')}</bdi>,
            }}
          />
        </span>
      )}
    </p>
  );
}

function Expiry({ at }: { at: string }) {
  const days = daysUntil(at);
  return (
    <span class={days <= 1 ? 'row__soon' : undefined}>
      <time dateTime={at} title={formatExact(at)}>
        {t('organizations.expiresIn', { days })}
      </time>
    </span>
  );
}
