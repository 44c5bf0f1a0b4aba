import type { Organization, OrganizationInvitation, OrganizationRole } from 'latchkey/client';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { ItemList } from '../components/item-list.tsx';
import type { Explanation } from '../explain.ts';
import { InvitationRow } from '../invitations/invitation-row.tsx';
import { type InvitationStatus, inviteeOf, statusNames } from '../invitations/invitation-status.ts';
import { RevokeInvitationDialog } from '../invitations/revoke-invitation-dialog.tsx';
import { organizationRoleName } from '../roles.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Filters, SelectFilter } from '../ui/filters.tsx';
import { toast } from '../ui/toast.tsx';
import { useList } from '../use-list.ts';
import { InviteMemberDialog } from './invite-member-dialog.tsx';

const words: Record<string, Explanation> = {
  invitation_already_accepted: {
    tone: 'info',
    title: 'The invitation was already accepted',
    body: 'The user is now a member. Remove the member instead.',
  },
};

type Filter = InvitationStatus | '';

const filters = [...Object.entries(statusNames), ['', 'All']] as [Filter, string][];

const emptyWords: Partial<Record<Filter, string>> = {
  pending: 'No pending invitations. Invite a member to create one.',
  '': 'No invitations yet. Invite a member to create the first one.',
};

interface InvitationsSectionProps {
  organization: Organization;
  /** The roles that the signed-in user can give. */
  roles: readonly OrganizationRole[];
}

/** Shows organization admins the invitations of their organization. */
export function InvitationsSection({ organization, roles }: InvitationsSectionProps) {
  const [status, setStatus] = useState<Filter>('pending');
  const [inviting, setInviting] = useState(false);
  const [revoking, setRevoking] = useState<OrganizationInvitation | null>(null);
  const [newest, setNewest] = useState<string | null>(null);
  const list = useInvitations(organization.id, status);

  const onCreated = (created: OrganizationInvitation) => {
    setNewest(created.id);
    toast(`The invitation for ${inviteeOf(created)} was created`);
    void list.reload();
  };

  const onRevoked = (revoked: OrganizationInvitation) => {
    list.update((known) =>
      known.map((invitation) =>
        invitation.id === revoked.id ? { ...invitation, status: 'revoked' } : invitation,
      ),
    );
    setRevoking(null);
    toast('The invitation was revoked');
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => document.getElementById(`invitation-${revoked.id}`)?.focus());
  };

  return (
    <section class="section" aria-labelledby="organization-invitations">
      <div class="section__head">
        <div>
          <h2 id="organization-invitations">Invitations</h2>
          <p class="section__lead">A user becomes a member when they accept an invitation.</p>
        </div>
        <Button variant="primary" onClick={() => setInviting(true)}>
          Invite member
        </Button>
      </div>
      <Filters label="Filter invitations">
        <SelectFilter label="Status" value={status} onValue={setStatus} options={filters} />
      </Filters>
      <ItemList
        list={list}
        what="invitations"
        empty={emptyWords[status] ?? 'No invitations match.'}
        row={(invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            heading="h3"
            isNew={invitation.id === newest}
            onRevoke={() => setRevoking(invitation)}
          >
            {invitation.role !== 'user' && (
              <Badge tone="quiet">{organizationRoleName(invitation.role)}</Badge>
            )}
          </InvitationRow>
        )}
      />
      {inviting && (
        <InviteMemberDialog
          organizationId={organization.id}
          roles={roles}
          onClose={() => setInviting(false)}
          onCreated={onCreated}
        />
      )}
      {revoking && (
        <RevokeInvitationDialog
          invitation={revoking}
          what={revoking.username === null ? 'The link' : 'The invitation'}
          revoke={() => auth.organizations.invitations.revoke(organization.id, revoking.id)}
          words={words}
          onClose={() => setRevoking(null)}
          onRevoked={() => onRevoked(revoking)}
          onAnswered={() => void list.reload()}
        />
      )}
    </section>
  );
}

const useInvitations = (organizationId: string, status: Filter) =>
  useList<OrganizationInvitation>(
    useCallback(
      async (cursor, signal) => {
        const page = await auth.organizations.invitations.list(
          organizationId,
          { status: status || undefined, cursor },
          { signal },
        );
        return { items: page.invitations, nextCursor: page.nextCursor };
      },
      [organizationId, status],
    ),
  );
