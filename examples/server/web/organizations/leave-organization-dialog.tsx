import type { Organization } from 'latchkey/client';
import { auth } from '../auth.ts';
import { T, t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { useAction } from '../use-action.ts';

interface LeaveOrganizationDialogProps {
  organization: Organization;
  onClose: () => void;
  onLeft: () => void;
}

export function LeaveOrganizationDialog({ organization, onClose, onLeft }: LeaveOrganizationDialogProps) {
  const { id, name } = organization;
  const leave = useAction(async () => {
    await auth.organizations.leave(id);
    onLeft();
  });
  const where = <strong dir="auto">{name}</strong>;
  return (
    <ConfirmDialog
      title={t('organizations.leaveTitle', { organization: name })}
      confirm={t('organizations.leave')}
      danger
      subject={<Avatar name={name} shape="organization" size="large" />}
      asksForPasskey={false}
      action={leave}
      onClose={onClose}
    >
      <Consequences
        of={[
          { kind: 'blocks', text: <T id="organizations.leaveLoses" values={{ where }} /> },
          { kind: 'ends', text: t('organizations.leaveInvitations') },
          { kind: 'stays', text: t('organizations.leaveKeeps') },
        ]}
      />
    </ConfirmDialog>
  );
}
