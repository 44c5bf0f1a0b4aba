import type { OrganizationInvitation } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Time } from '../ui/time.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { inviteeOf } from './invitation-words.ts';

interface RevokeDialogProps {
  organizationId: string;
  invitation: OrganizationInvitation;
  onClose: () => void;
  /** Called when the list is outdated: after the revocation, and after it was undone. */
  onChanged: () => void;
}

const words = (): Record<string, Explanation> => ({
  invitation_already_accepted: {
    tone: 'info',
    title: t('organizations.alreadyAccepted'),
    body: t('organizations.alreadyAcceptedBody'),
  },
});

const hourMs = 3_600_000;

/** Revokes an invitation. Only the revocation of an invitation by username can be undone. A link cannot be restored. */
export function RevokeDialog({ organizationId, invitation, onClose, onChanged }: RevokeDialogProps) {
  const { id, username, role, createdAt, expiresAt } = invitation;
  const invitee = inviteeOf(invitation);

  const inviteAgain = async () => {
    const hoursLeft = Math.ceil((Date.parse(expiresAt) - Date.now()) / hourMs);
    const given = { username: username ?? undefined, role, expiresInHours: Math.max(1, hoursLeft) };
    await auth.organizations.invitations.create(organizationId, given);
    onChanged();
  };

  const revoke = useAction(async () => {
    try {
      await auth.organizations.invitations.revoke(organizationId, id);
    } catch (error) {
      if (codeOf(error) === 'invitation_already_accepted') onChanged();
      throw error;
    }
    onClose();
    onChanged();
    toast(t('organizations.revoked', { invitee }), username === null ? undefined : inviteAgain);
  });

  return (
    <ConfirmDialog
      title={t('organizations.revokeTitle', { invitee })}
      confirm={t('organizations.revoke')}
      danger
      action={revoke}
      words={words()}
      onClose={onClose}
    >
      <p>
        <T
          id={username === null ? 'organizations.revokeLinkBody' : 'organizations.revokeBody'}
          values={{ time: <Time at={createdAt} /> }}
        />
      </p>
    </ConfirmDialog>
  );
}
