import type { Organization } from 'latchkey/client';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';

interface DeleteOrganizationDialogProps {
  organization: Organization;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteOrganizationDialog(props: DeleteOrganizationDialogProps) {
  const { organization, onClose, onDeleted } = props;
  const remove = useAction(async () => {
    try {
      await auth.organizations.delete(organization.id);
    } catch (error) {
      // The organization was already deleted, for instance in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    onDeleted();
  });
  return (
    <ConfirmDialog
      title={`Delete ${organization.name}?`}
      confirm="Delete organization"
      danger
      typed={{ what: 'the short name', expected: organization.slug }}
      action={remove}
      onClose={onClose}
    >
      <p>
        This permanently deletes <strong>{organization.name}</strong>. All memberships end immediately. The
        members keep their accounts.
      </p>
    </ConfirmDialog>
  );
}
