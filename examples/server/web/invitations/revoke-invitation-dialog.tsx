import type { Invitation } from 'latchkey/client';
import { auth } from '../auth.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Time } from '../components/time.tsx';
import { codeOf } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { inviteeOf } from './invitation-row.tsx';

interface RevokeInvitationDialogProps {
  invitation: Invitation;
  onClose: () => void;
  onRevoked: () => void;
  /** It was accepted meanwhile. */
  onAccepted: () => void;
}

export function RevokeInvitationDialog(props: RevokeInvitationDialogProps) {
  const { invitation, onClose, onRevoked, onAccepted } = props;
  const revoke = useAction(async () => {
    try {
      await auth.invitations.revoke(invitation.id);
    } catch (error) {
      if (codeOf(error) === 'invitation_already_accepted') onAccepted();
      throw error;
    }
    onRevoked();
  });
  return (
    <ConfirmDialog
      title={`Revoke the invitation for ${inviteeOf(invitation)}?`}
      confirm="Revoke invitation"
      danger
      action={revoke}
      onClose={onClose}
    >
      <p>
        The link made <Time at={invitation.createdAt} /> stops working at once, wherever it has been sent.
      </p>
    </ConfirmDialog>
  );
}
