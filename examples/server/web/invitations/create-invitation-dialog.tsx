import type { CreatedInvitation, Invitation } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { LinkOnce } from '../components/link-once.tsx';
import { formatExact } from '../dates.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { InvitationForm } from './invitation-form.tsx';
import { inviteeOf } from './invitation-status.ts';

interface CreateInvitationDialogProps {
  /** The roles that the invitation can grant. The first is preselected. */
  roles: readonly Invitation['role'][];
  onClose: () => void;
  onCreated: () => void;
}

export function CreateInvitationDialog({ roles, onClose, onCreated }: CreateInvitationDialogProps) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  if (!created) {
    return (
      <InvitationForm
        roles={roles}
        onClose={onClose}
        onCreated={(result) => {
          setCreated(result);
          onCreated();
        }}
      />
    );
  }
  const { invitation, url } = created;
  return (
    <Dialog title="New invitation link" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <LinkOnce label={`Invitation for ${inviteeOf(invitation)}`} url={url} />
      <p>
        The link works once, until{' '}
        <time dateTime={invitation.expiresAt}>{formatExact(invitation.expiresAt)}</time>.{' '}
        {whoCanUse(invitation)}
      </p>
    </Dialog>
  );
}

function whoCanUse({ role, username }: Invitation): string {
  if (role === 'user')
    return username ? `Only ${username} can sign up with it.` : 'The first user with the link can sign up.';
  return username
    ? `Only ${username} can accept the invitation.`
    : 'The first user who accepts the invitation becomes an admin.';
}
