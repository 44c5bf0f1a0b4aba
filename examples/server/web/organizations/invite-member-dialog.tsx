import type { OrganizationInvitation, OrganizationRole } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { LinkOnce } from '../components/link-once.tsx';
import { formatExact } from '../dates.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type CreatedInvitation, InviteMemberForm } from './invite-member-form.tsx';

interface InviteMemberDialogProps {
  organizationId: string;
  roles: readonly OrganizationRole[];
  onClose: () => void;
  onCreated: (invitation: OrganizationInvitation) => void;
}

/** Invites a user to an organization. If the invitation has a link, the dialog then shows the link. */
export function InviteMemberDialog({ organizationId, roles, onClose, onCreated }: InviteMemberDialogProps) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const url = created?.url ?? null;
  if (!created || url === null) {
    return (
      <InviteMemberForm
        organizationId={organizationId}
        roles={roles}
        onClose={onClose}
        onCreated={(result) => {
          onCreated(result.invitation);
          if (result.url === null) onClose();
          else setCreated(result);
        }}
      />
    );
  }
  const { expiresAt } = created.invitation;
  return (
    <Dialog title="New invitation link" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <LinkOnce label="Invitation link" url={url} />
      <p>
        The link works once, until <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>. The first user
        who accepts the invitation becomes a member.
      </p>
    </Dialog>
  );
}
