import type { OrganizationInvitation } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';

interface DeclineDialogProps {
  invitation: OrganizationInvitation;
  onClose: () => void;
  onDeclined: () => void;
}

export function DeclineDialog({ invitation, onClose, onDeclined }: DeclineDialogProps) {
  const { name } = invitation.organization;
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
      title={t('organizations.declineTitle', { organization: name })}
      confirm={t('organizations.declineSubmit')}
      subject={<Avatar name={name} shape="organization" size="large" />}
      asksForPasskey={false}
      action={decline}
      onClose={onClose}
    >
      <p>
        <T id="organizations.declineBody" values={{ organization: <strong dir="auto">{name}</strong> }} />
      </p>
    </ConfirmDialog>
  );
}
