import type { Organization } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { auth } from '../auth.ts';
import { PageHead } from '../components/page-head.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { toast } from '../ui/toast.tsx';
import { DeleteOrganizationDialog } from './delete-organization-dialog.tsx';
import { OrganizationForm } from './organization-form.tsx';
import type { OrganizationRights } from './role-rights.ts';

interface OrganizationHeadProps {
  organization: Organization;
  rights: OrganizationRights;
  onSaved: (saved: Organization) => void;
}

export function OrganizationHead({ organization, rights, onSaved }: OrganizationHeadProps) {
  const { route } = useLocation();
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const { id, name, slug, createdAt } = organization;
  return (
    <>
      <PageHead
        title={name}
        heading={<bdi>{name}</bdi>}
        lead={
          <>
            {slug} · created <Time at={createdAt} />
          </>
        }
        action={
          (rights.update || rights.delete) && (
            <div class="head-actions">
              {rights.update && <Button onClick={() => setAsking('rename')}>Rename</Button>}
              {rights.delete && (
                <Button variant="danger-quiet" onClick={() => setAsking('delete')}>
                  Delete
                </Button>
              )}
            </div>
          )
        }
      />
      {asking === 'rename' && (
        <OrganizationForm
          title={`Rename ${name}`}
          submit="Rename organization"
          initial={organization}
          save={(given) => auth.organizations.update(id, given)}
          onClose={close}
          onSaved={(saved) => {
            close();
            onSaved(saved);
            toast(`The organization is now called ${saved.name}`);
          }}
        />
      )}
      {asking === 'delete' && (
        <DeleteOrganizationDialog
          organization={organization}
          onClose={close}
          onDeleted={() => route('/organizations', true)}
        />
      )}
    </>
  );
}
