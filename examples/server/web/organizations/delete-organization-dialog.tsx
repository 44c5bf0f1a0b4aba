import type { Organization } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { useAction } from '../use-action.ts';

interface DeleteOrganizationDialogProps {
  organization: Organization;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteOrganizationDialog(props: DeleteOrganizationDialogProps) {
  const { organization, onClose, onDeleted } = props;
  const { id, name, slug } = organization;
  const remove = useAction(async () => {
    try {
      await auth.organizations.delete(id);
    } catch (error) {
      // The organization was already deleted, for instance in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    onDeleted();
  });
  const where = <strong dir="auto">{name}</strong>;
  return (
    <ConfirmDialog
      title={t('organizations.deleteTitle', { name })}
      confirm={t('organizations.delete')}
      danger
      subject={<Avatar name={name} shape="organization" size="large" />}
      typed={{ what: t('organizations.theShortName'), expected: slug }}
      action={remove}
      onClose={onClose}
    >
      <Consequences
        of={[
          { kind: 'blocks', text: <T id="organizations.deleteDeletes" values={{ where }} /> },
          { kind: 'ends', text: t('organizations.deleteEnds') },
          { kind: 'stays', text: t('organizations.deleteKeeps') },
        ]}
      />
    </ConfirmDialog>
  );
}
