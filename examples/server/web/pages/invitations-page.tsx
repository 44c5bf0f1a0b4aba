import type { Invitation } from 'latchkey/client';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { invitationRoles, managesInvitations, mayOpenInvitations } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { CreateInvitationDialog } from '../invitations/create-invitation-dialog.tsx';
import { InvitationRow } from '../invitations/invitation-row.tsx';
import { RevokeInvitationDialog } from '../invitations/revoke-invitation-dialog.tsx';
import { roleNames } from '../roles.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Filters, SelectFilter } from '../ui/filters.tsx';
import { toast } from '../ui/toast.tsx';
import { useList } from '../use-list.ts';

/**
 * Users with `invitation:manage` see and manage all invitations. Other users see and manage their own user invitations.
 */
export const InvitationsPage = () => (
  <RequireRole allows={mayOpenInvitations}>
    {(me) => <Invitations managesAll={managesInvitations(me)} offered={invitationRoles(me)} />}
  </RequireRole>
);

type Status = Invitation['status'] | '';

const statuses = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['accepted', 'Accepted'],
  ['revoked', 'Revoked'],
  ['expired', 'Expired'],
] as const;

interface InvitationsProps {
  managesAll: boolean;
  /** The roles that a new invitation can grant. The first is preselected. */
  offered: Invitation['role'][];
}

function Invitations({ managesAll, offered }: InvitationsProps) {
  const [status, setStatus] = useState<Status>('');
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const list = useInvitations(status, managesAll);

  const onRevoked = (revoked: Invitation) => {
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
    <div class="section">
      <PageHead
        title="Invitations"
        lead={
          managesAll
            ? purposes[offered.join()]
            : 'Invite new users to sign up. You see only your own invitations.'
        }
        action={
          offered.length > 0 && (
            <Button variant="primary" onClick={() => setCreating(true)}>
              Invite user
            </Button>
          )
        }
      />
      <Filters label="Filter invitations">
        <SelectFilter label="Status" value={status} onValue={setStatus} options={statuses} />
      </Filters>
      <ItemList
        list={list}
        what="invitations"
        empty={
          status
            ? 'No invitations match.'
            : offered.length > 0
              ? 'No invitations yet. Invite a user to create the first one.'
              : 'No invitations yet.'
        }
        row={(invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onRevoke={() => setRevoking(invitation)}>
            {managesAll && <Badge tone="quiet">{roleNames[invitation.role]}</Badge>}
          </InvitationRow>
        )}
      />
      {creating && (
        <CreateInvitationDialog
          roles={offered}
          onClose={() => setCreating(false)}
          onCreated={() => void list.reload()}
        />
      )}
      {revoking && (
        <RevokeInvitationDialog
          invitation={revoking}
          what="The link"
          revoke={() => (managesAll ? auth.invitations : auth.userInvitations).revoke(revoking.id)}
          onClose={() => setRevoking(null)}
          onRevoked={() => onRevoked(revoking)}
          onAnswered={() => void list.reload()}
        />
      )}
    </div>
  );
}

const purposes: Record<string, string> = {
  'admin,user': 'Invite new users to sign up, or invite users to become admins.',
  admin: 'Invite users to become admins.',
  user: 'Invite new users to sign up.',
};

const useInvitations = (status: Status, managesAll: boolean) =>
  useList<Invitation>(
    useCallback(
      async (cursor, signal) => {
        const filters = { status: status || undefined, cursor };
        const client = managesAll ? auth.invitations : auth.userInvitations;
        const { invitations, nextCursor } = await client.list(filters, { signal });
        return { items: invitations, nextCursor };
      },
      [status, managesAll],
    ),
  );
