import type { Invitation } from 'latchkey/client';
import { codeOf } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';

interface RevokeInvitationDialogProps {
  invitation: Invitation;
  revoke: () => Promise<void>;
  onClose: () => void;
  onRevoked: () => void;
  /** Called when the invitation can no longer be revoked, for instance because a user accepted it. */
  onAnswered: () => void;
}

export function RevokeInvitationDialog(props: RevokeInvitationDialogProps) {
  const { invitation, revoke, onClose, onRevoked, onAnswered } = props;
  const run = useAction(async () => {
    try {
      await revoke();
    } catch (error) {
      if (codeOf(error) === 'invitation_already_accepted') onAnswered();
      throw error;
    }
    onRevoked();
  });
  const { username, createdAt } = invitation;
  return (
    <ConfirmDialog
      title={
        username === null
          ? t('invitations.revokeTitleAnyone')
          : t('invitations.revokeTitle', { name: username })
      }
      confirm={t('invitations.revokeConfirm')}
      danger
      action={run}
      onClose={onClose}
    >
      <p>
        <T id="invitations.revokeBody" values={{ when: <Time at={createdAt} /> }} />
      </p>
    </ConfirmDialog>
  );
}
