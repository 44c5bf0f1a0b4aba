import type { CreatedInvitation, Invitation } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { LinkOnce } from '../components/link-once.tsx';
import { formatExact } from '../dates.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { InvitationForm } from './invitation-form.tsx';

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
  const { username, expiresAt } = invitation;
  return (
    <Dialog
      title={t('invitations.linkTitle')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('invitations.done')}</Button>}
    >
      <LinkOnce
        label={
          username === null ? t('invitations.linkForAnyone') : t('invitations.linkFor', { name: username })
        }
        url={url}
      />
      <p>
        <T
          id="invitations.linkUntil"
          values={{ when: <time dateTime={expiresAt}>{formatExact(expiresAt)}</time> }}
        />{' '}
        {whoCanUse(invitation)}
      </p>
    </Dialog>
  );
}

function whoCanUse({ role, username: name }: Invitation): string {
  if (role === 'user')
    return name === null ? t('invitations.firstSignsUp') : t('invitations.onlyUserSignsUp', { name });
  return name === null ? t('invitations.firstAccepts') : t('invitations.onlyUserAccepts', { name });
}
