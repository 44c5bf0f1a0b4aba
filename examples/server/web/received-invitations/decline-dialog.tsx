import type { OrganizationInvitation } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';

interface DeclineDialogProps {
  invitation: OrganizationInvitation;
  onClose: () => void;
  onDeclined: () => void;
}

export function DeclineDialog({ invitation, onClose, onDeclined }: DeclineDialogProps) {
  const { organization } = invitation;
  const decline = useAction(async () => {
    try {
      await auth.organizations.invitations.decline(invitation.id);
    } catch (error) {
      // The invitation was already revoked or has expired, so the user no longer needs to decline it.
      if (!['invitation_unusable', 'invitation_not_found'].includes(codeOf(error))) throw error;
    }
    onDeclined();
  });
  return (
    <ConfirmDialog
      title={`Decline the invitation to ${organization.name}?`}
      confirm="Decline invitation"
      asksForPasskey={false}
      action={decline}
      onClose={onClose}
    >
      <p>
        If you decline, you don’t become a member of <strong dir="auto">{organization.name}</strong>. To join
        later, you need another invitation.
      </p>
    </ConfirmDialog>
  );
}
