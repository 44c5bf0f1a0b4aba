import type { Account, Organization } from 'latchkey/client';
import { ChevronRight } from 'lucide-static';
import { useCallback, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { auth } from '../auth.ts';
import { has, scopeOf } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { Icon } from '../icons/icon.tsx';
import { OrganizationForm } from '../organizations/organization-form.tsx';
import { ReceivedSection } from '../received-invitations/received-section.tsx';
import { organizationRoleName } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { useList } from '../use-list.ts';

export const OrganizationsPage = () => (
  <RequireAccount>{(user) => <Organizations user={user} />}</RequireAccount>
);

async function loadOrganizations(cursor: string | null, signal: AbortSignal) {
  const { organizations, nextCursor } = await auth.organizations.list({ cursor }, { signal });
  return { items: organizations, nextCursor };
}

function Organizations({ user }: { user: Account }) {
  const { route } = useLocation();
  const [creating, setCreating] = useState(false);
  const list = useList<Organization>(useCallback(loadOrganizations, []));
  const mayCreate = has(user.role, 'organization:create');
  return (
    <>
      <div class="section">
        <PageHead
          title="Organizations"
          lead={
            scopeOf(user.role, 'organization:read') === 'any'
              ? 'All organizations.'
              : 'The organizations you belong to.'
          }
          action={
            mayCreate && (
              <Button variant="primary" onClick={() => setCreating(true)}>
                Create an organization
              </Button>
            )
          }
        />
        <ItemList
          list={list}
          what="organizations"
          empty={
            mayCreate
              ? 'No organizations yet. Create the first one, then invite members.'
              : 'No organizations yet. An organization admin can invite you by your username.'
          }
          row={(organization) => <OrganizationRow key={organization.id} organization={organization} />}
        />
        {creating && (
          <OrganizationForm
            title="New organization"
            submit="Create organization"
            save={(given) => auth.organizations.create(given)}
            onClose={() => setCreating(false)}
            onSaved={({ id }) => route(`/organizations/${id}`)}
          />
        )}
      </div>
      <ReceivedSection onAccepted={() => void list.reload()} />
    </>
  );
}

const OrganizationRow = ({ organization: { id, name, slug, myRole } }: { organization: Organization }) => (
  <li class="row row--link">
    <Avatar name={name} shape="organization" />
    <div class="row__text">
      <h2 class="row__title">
        <a class="row__link" href={`/organizations/${id}`}>
          <bdi>{name}</bdi>
        </a>
        {myRole && (
          <Badge tone={myRole === 'admin' ? 'accent' : 'quiet'}>{organizationRoleName(myRole)}</Badge>
        )}
      </h2>
      <p class="row__meta">{slug}</p>
    </div>
    <Icon of={ChevronRight} />
  </li>
);
