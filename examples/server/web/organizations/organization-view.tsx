import type { Account, Organization, OrganizationInvitation } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { toast } from '../ui/toast.tsx';
import { inviteeOf } from './invitation-words.ts';
import { InvitationsTab } from './invitations-tab.tsx';
import { InviteSheet } from './invite-sheet.tsx';
import { MembersTab } from './members-tab.tsx';
import { OrganizationHead } from './organization-head.tsx';
import { OrganizationTabs } from './organization-tabs.tsx';
import { PendingCard } from './pending-card.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { mayLeave, rightsIn } from './role-rights.ts';
import { SettingsTab } from './settings-tab.tsx';
import { useInvitations } from './use-invitations.ts';
import { loadedCount, useMembers } from './use-members.ts';
import { type Tab, useTab } from './use-tab.ts';

interface OrganizationViewProps {
  organization: Organization;
  user: Account;
  onSaved: (saved: Organization) => void;
  /** Loads the organization again, because the user's role in it may have changed. */
  reload: () => Promise<void>;
}

/** The page of an organization: its name, and the tabs that the user can open. */
export function OrganizationView({ organization, user, onSaved, reload }: OrganizationViewProps) {
  const { id } = organization;
  const rights = rightsIn(organization.myRole, user.role);
  const hasSettings = rights.update || rights.delete || mayLeave(organization, rights);
  const tabs: Tab[] = [
    ...(rights.readMembers ? (['members'] as const) : []),
    ...(rights.invite ? (['invitations'] as const) : []),
    ...(hasSettings ? (['settings'] as const) : []),
  ];
  const { tab, status } = useTab(tabs);
  const members = useMembers(id, rights.readMembers);
  const pending = useInvitations(id, 'pending', rights.invite);
  const filtered = useInvitations(id, status, rights.invite && tab === 'invitations');
  const [inviting, setInviting] = useState(false);
  const [revoking, setRevoking] = useState<OrganizationInvitation | null>(null);
  // The links of invitations that were created here. The service does not show them again.
  const [links, setLinks] = useState<ReadonlyMap<string, string>>(new Map());

  const reloadInvitations = () => {
    void pending.reload();
    void filtered.reload();
  };
  const onCreated = (created: OrganizationInvitation, url: string | null) => {
    if (url !== null) setLinks((known) => new Map(known).set(created.id, url));
    toast(t('organizations.invited', { invitee: inviteeOf(created) }));
    reloadInvitations();
  };

  return (
    <>
      <OrganizationHead
        organization={organization}
        user={user}
        onInvite={rights.invite ? () => setInviting(true) : undefined}
      />
      <OrganizationTabs
        organization={organization}
        tabs={tabs}
        tab={tab}
        counts={{
          members: members.query === '' ? loadedCount(members.list) : undefined,
          invitations: loadedCount(pending),
        }}
      />
      {tab === 'members' && rights.invite && (
        <PendingCard
          organization={organization}
          user={user}
          list={pending}
          links={links}
          onRevoke={setRevoking}
        />
      )}
      {tab === 'members' && rights.readMembers && (
        <MembersTab
          organization={organization}
          rights={rights}
          user={user}
          members={members}
          onMyRole={reload}
        />
      )}
      {tab === 'invitations' && (
        <InvitationsTab
          organization={organization}
          user={user}
          status={status}
          list={filtered}
          links={links}
          onRevoke={setRevoking}
        />
      )}
      {tab === 'settings' && <SettingsTab organization={organization} rights={rights} onSaved={onSaved} />}
      {inviting && (
        <InviteSheet
          organizationId={id}
          user={user}
          roles={rights.roles}
          onClose={() => setInviting(false)}
          onCreated={onCreated}
        />
      )}
      {revoking && (
        <RevokeDialog
          organizationId={id}
          invitation={revoking}
          onClose={() => setRevoking(null)}
          onChanged={reloadInvitations}
        />
      )}
    </>
  );
}
