import { codeOf, type Explanation } from '../explain.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';
import { inviteeOf } from './invitation-status.ts';

interface RevokeInvitationDialogProps {
  invitation: { username: string | null; createdAt: string };
  /** What stops working, such as "The link". */
  what: string;
  revoke: () => Promise<void>;
  words?: Record<string, Explanation>;
  onClose: () => void;
  onRevoked: () => void;
  /** Called when the invitation can no longer be revoked, for instance because a user accepted it. */
  onAnswered: () => void;
}

export function RevokeInvitationDialog(props: RevokeInvitationDialogProps) {
  const { invitation, what, revoke, words, onClose, onRevoked, onAnswered } = props;
  const run = useAction(async () => {
    try {
      await revoke();
    } catch (error) {
      if (['invitation_already_accepted', 'invitation_unusable'].includes(codeOf(error))) onAnswered();
      throw error;
    }
    onRevoked();
  });
  return (
    <ConfirmDialog
      title={`Revoke the invitation for ${inviteeOf(invitation)}?`}
      confirm="Revoke invitation"
      danger
      action={run}
      words={words}
      onClose={onClose}
    >
      <p>
        {what} from <Time at={invitation.createdAt} /> stops working immediately.
      </p>
    </ConfirmDialog>
  );
}
