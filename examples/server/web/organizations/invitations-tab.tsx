import type { Account, Organization, OrganizationInvitation } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { ItemList } from '../components/item-list.tsx';
import { t } from '../messages/t.tsx';
import { Chip, Chips } from '../ui/chip.tsx';
import type { LongList } from '../use-list.ts';
import { InvitationRow } from './invitation-row.tsx';
import { type InvitationStatus, statuses, statusName } from './invitation-words.ts';

interface InvitationsTabProps {
  organization: Organization;
  user: Account;
  /** Null: every status. */
  status: InvitationStatus | null;
  list: LongList<OrganizationInvitation>;
  links: ReadonlyMap<string, string>;
  onRevoke: (invitation: OrganizationInvitation) => void;
}

/** All invitations to the organization, filtered by status. */
export function InvitationsTab({ organization, user, status, list, links, onRevoke }: InvitationsTabProps) {
  const { route } = useLocation();
  const show = (wanted: InvitationStatus | null) => {
    const filter = wanted === null ? '' : `&status=${wanted}`;
    route(`/organizations/${organization.id}?tab=invitations${filter}`, true);
  };
  return (
    <section class="section" aria-labelledby="organization-invitations">
      <div>
        <h2 id="organization-invitations" tabIndex={-1}>
          {t('organizations.invitations')}
        </h2>
        <p class="section__lead">{t('organizations.invitationsLead')}</p>
      </div>
      <Chips label={t('organizations.filterInvitations')}>
        <Chip isOn={status === null} onToggle={() => show(null)}>
          {t('organizations.all')}
        </Chip>
        {statuses.map((each) => (
          <Chip key={each} isOn={status === each} onToggle={() => show(status === each ? null : each)}>
            {statusName(each)}
          </Chip>
        ))}
      </Chips>
      <ItemList
        list={list}
        what={t('organizations.whatInvitations')}
        empty={emptyText(status)}
        row={(invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            myId={user.id}
            url={links.get(invitation.id)}
            showsStatus={status === null}
            onRevoke={() => onRevoke(invitation)}
          />
        )}
      />
    </section>
  );
}

function emptyText(status: InvitationStatus | null): string {
  if (status === null) return t('organizations.noInvitations');
  return status === 'pending' ? t('organizations.noPending') : t('organizations.noInvitationsMatch');
}
