import type { Invitation } from 'latchkey/client';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { announce } from '../components/announcer.tsx';
import { Button } from '../components/button.tsx';
import { Filters, SelectFilter } from '../components/filters.tsx';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { CreateInvitationDialog } from '../invitations/create-invitation-dialog.tsx';
import { InvitationRow } from '../invitations/invitation-row.tsx';
import { RevokeInvitationDialog } from '../invitations/revoke-invitation-dialog.tsx';
import { useList } from '../use-list.ts';

export const InvitationsPage = () => <RequireRole minimum="superadmin">{() => <Invitations />}</RequireRole>;

type Status = Invitation['status'] | '';

const statuses = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['accepted', 'Accepted'],
  ['revoked', 'Revoked'],
  ['expired', 'Expired'],
] as const;

function Invitations() {
  const [status, setStatus] = useState<Status>('');
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const list = useInvitations(status);

  const onRevoked = (revoked: Invitation) => {
    list.update((known) =>
      known.map((invitation) =>
        invitation.id === revoked.id ? { ...invitation, status: 'revoked' } : invitation,
      ),
    );
    setRevoking(null);
    announce('The invitation was revoked.');
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => document.getElementById(`invitation-${revoked.id}`)?.focus());
  };

  return (
    <div class="section">
      <PageHead
        title="Invitations"
        lead="Users who accept an invitation become admins."
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            Invite admin
          </Button>
        }
      />
      <Filters label="Filter invitations">
        <SelectFilter label="Status" value={status} onValue={setStatus} options={statuses} />
      </Filters>
      <ItemList
        list={list}
        what="invitations"
        empty={
          status ? 'No invitations match.' : 'No invitations yet. Invite an admin to create the first one.'
        }
        row={(invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            onRevoke={() => setRevoking(invitation)}
          />
        )}
      />
      {creating && (
        <CreateInvitationDialog onClose={() => setCreating(false)} onCreated={() => void list.reload()} />
      )}
      {revoking && (
        <RevokeInvitationDialog
          invitation={revoking}
          what="The link"
          revoke={() => auth.invitations.revoke(revoking.id)}
          onClose={() => setRevoking(null)}
          onRevoked={() => onRevoked(revoking)}
          onAnswered={() => void list.reload()}
        />
      )}
    </div>
  );
}

const useInvitations = (status: Status) =>
  useList<Invitation>(
    useCallback(
      async (cursor, signal) => {
        const filters = { status: status || undefined, cursor };
        const { invitations, nextCursor } = await auth.invitations.list(filters, { signal });
        return { items: invitations, nextCursor };
      },
      [status],
    ),
  );
