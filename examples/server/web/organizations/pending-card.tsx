import type { Account, Organization, OrganizationInvitation } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { Badge } from '../ui/badge.tsx';
import type { LongList } from '../use-list.ts';
import { InvitationRow } from './invitation-row.tsx';

const most = 4;

interface PendingCardProps {
  organization: Organization;
  user: Account;
  list: LongList<OrganizationInvitation>;
  links: ReadonlyMap<string, string>;
  onRevoke: (invitation: OrganizationInvitation) => void;
}

/** The newest pending invitations, above the members. Renders nothing if there are none. */
export function PendingCard({ organization, user, list, links, onRevoke }: PendingCardProps) {
  const { resource } = list;
  if (resource.status !== 'ready' || resource.value.items.length === 0) return null;
  const { items, nextCursor } = resource.value;
  return (
    <section class="list card-list" aria-labelledby="pending-invitations">
      <div class="card-list__head">
        <h2 id="pending-invitations" tabIndex={-1}>
          {t('organizations.pending')}
        </h2>
        <Badge tone="warning">{`${items.length}${nextCursor ? '+' : ''}`}</Badge>
      </div>
      <ul>
        {items.slice(0, most).map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            myId={user.id}
            url={links.get(invitation.id)}
            onRevoke={() => onRevoke(invitation)}
          />
        ))}
      </ul>
      {(items.length > most || nextCursor) && (
        <p class="card-list__foot">
          <a href={`/organizations/${organization.id}?tab=invitations`}>
            {t('organizations.allInvitations')}
          </a>
        </p>
      )}
    </section>
  );
}
