import type { Invitation } from 'latchkey/client';
import { Plus } from 'lucide-static';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { auth } from '../auth.ts';
import { invitationRoles, managesInvitations, mayOpenInvitations } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { CreateInvitationDialog } from '../invitations/create-invitation-dialog.tsx';
import { InvitationRow, invitationColumns } from '../invitations/invitation-row.tsx';
import { type InvitationStatus, invitationStatuses, statusName } from '../invitations/invitation-status.ts';
import { RevokeInvitationDialog } from '../invitations/revoke-invitation-dialog.tsx';
import { invitationsUrl, readInvitationsQuery, useInvitations } from '../invitations/use-invitations.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Chip, Chips } from '../ui/chip.tsx';
import { toast } from '../ui/toast.tsx';

/**
 * Users with `invitation:manage` see and manage all invitations. Other users see and manage their own user invitations.
 */
export const InvitationsPage = () => (
  <RequireRole allows={mayOpenInvitations}>
    {(me) => <Invitations managesAll={managesInvitations(me)} offered={invitationRoles(me)} />}
  </RequireRole>
);

interface InvitationsProps {
  managesAll: boolean;
  /** The roles that a new invitation can grant. */
  offered: Invitation['role'][];
}

function Invitations({ managesAll, offered }: InvitationsProps) {
  const { query, route } = useLocation();
  const { status, isNew, role } = readInvitationsQuery(query);
  const [isCreating, setCreating] = useState(isNew);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const list = useInvitations(status, managesAll);
  const canInvite = offered.length > 0;

  const show = (chosen: InvitationStatus | null) => route(invitationsUrl(chosen), true);
  const close = () => {
    setCreating(false);
    // Removes the form from the URL, so that a reload does not open it again.
    if (isNew) show(status);
  };
  const onRevoked = (revoked: Invitation) => {
    list.update((known) =>
      known.map((invitation) =>
        invitation.id === revoked.id ? { ...invitation, status: 'revoked' } : invitation,
      ),
    );
    setRevoking(null);
    toast(t('invitations.revokedToast'));
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => document.getElementById(`invitation-${revoked.id}`)?.focus());
  };
  const invite = canInvite && (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      {t('invitations.invite')}
    </Button>
  );

  return (
    <div class="section">
      <PageHead title={t('invitations.title')} lead={leadFor(managesAll, offered)} action={invite} />
      <Chips label={t('invitations.filter')}>
        {invitationStatuses.map((each) => (
          <Chip key={each} isOn={status === each} onToggle={() => show(status === each ? null : each)}>
            {statusName(each)}
          </Chip>
        ))}
      </Chips>
      <ItemList
        list={list}
        what={t('organizations.whatInvitations')}
        empty={emptyText(status !== null, canInvite)}
        columns={invitationColumns(managesAll)}
        row={(invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            showsPurpose={managesAll}
            onRevoke={() => setRevoking(invitation)}
          />
        )}
      />
      {isCreating && canInvite && (
        <CreateInvitationDialog
          roles={role === null ? offered : preferring(role, offered)}
          onClose={close}
          onCreated={() => void list.reload()}
        />
      )}
      {revoking && (
        <RevokeInvitationDialog
          invitation={revoking}
          revoke={() => (managesAll ? auth.invitations : auth.userInvitations).revoke(revoking.id)}
          onClose={() => setRevoking(null)}
          onRevoked={() => onRevoked(revoking)}
          onAnswered={() => void list.reload()}
        />
      )}
    </div>
  );
}

/** The form preselects the first role. */
const preferring = (role: Invitation['role'], offered: Invitation['role'][]): Invitation['role'][] =>
  [...offered].sort((one, other) => Number(other === role) - Number(one === role));

function leadFor(managesAll: boolean, offered: Invitation['role'][]): string {
  if (!managesAll) return t('invitations.leadOwn');
  if (offered.length === 0) return t('invitations.leadRead');
  if (offered.length > 1) return t('invitations.leadBoth');
  return t(offered[0] === 'admin' ? 'invitations.leadAdmin' : 'invitations.leadUser');
}

/** The text of the empty list. Its first sentence becomes the title. */
function emptyText(isFiltered: boolean, canInvite: boolean): string {
  if (isFiltered) return t('invitations.noMatch');
  return t(canInvite ? 'invitations.none' : 'invitations.noneRead');
}
