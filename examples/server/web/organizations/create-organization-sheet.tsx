import type { Organization } from 'latchkey/client';
import { useId } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { OrganizationFields } from './organization-fields.tsx';
import { useOrganizationForm } from './use-organization-form.ts';

interface CreateOrganizationSheetProps {
  onClose: () => void;
  onCreated: (created: Organization) => void;
}

export function CreateOrganizationSheet({ onClose, onCreated }: CreateOrganizationSheetProps) {
  const id = useId();
  const form = useOrganizationForm({
    save: (given) => auth.organizations.create(given),
    onSaved: onCreated,
  });
  return (
    <Sheet
      title={t('organizations.new')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={id} variant="primary" busy={form.busy}>
            {t('organizations.createSubmit')}
          </Button>
        </>
      }
    >
      <p>{t('organizations.newLead')}</p>
      <form id={id} class="form" onSubmit={form.submit}>
        <OrganizationFields form={form} />
      </form>
      <ErrorNotice error={form.error} />
    </Sheet>
  );
}
