import type { Organization } from 'latchkey/client';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { OrganizationFields } from './organization-fields.tsx';
import { useOrganizationForm } from './use-organization-form.ts';

interface RenameFormProps {
  organization: Organization;
  onSaved: (saved: Organization) => void;
}

/** Changes the name and the short name of an organization. */
export function RenameForm({ organization, onSaved }: RenameFormProps) {
  const { id, name, slug } = organization;
  const form = useOrganizationForm({
    initial: organization,
    save: (given) => auth.organizations.update(id, given),
    onSaved: (saved) => {
      onSaved(saved);
      toast(t('organizations.renamed', { name: saved.name }));
    },
  });
  const isSame = form.name.trim() === name && form.slug === slug;
  return (
    <Card>
      <h2>{t('organizations.general')}</h2>
      <form class="form organization-form" onSubmit={form.submit}>
        <OrganizationFields form={form} />
        <ErrorNotice error={form.error} />
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={form.busy}
            disabledReason={isSame ? t('organizations.nothingChanged') : undefined}
          >
            {t('organizations.saveName')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
