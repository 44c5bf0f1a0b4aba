import type { Account, ListedOrganization } from 'latchkey/client';
import { ChevronRight, Plus } from 'lucide-static';
import { useCallback, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { auth } from '../auth.ts';
import { has, scopeOf } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { CreateOrganizationSheet } from '../organizations/create-organization-sheet.tsx';
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
  const { organizations, nextCursor } = await auth.organizations.list(
    { cursor, include: 'memberCount' },
    { signal },
  );
  return { items: organizations, nextCursor };
}

function Organizations({ user }: { user: Account }) {
  const { route } = useLocation();
  const [creating, setCreating] = useState(false);
  const list = useList<ListedOrganization>(useCallback(loadOrganizations, []));
  const mayCreate = has(user.role, 'organization:create');
  const seesAll = scopeOf(user.role, 'organization:read') === 'any';
  return (
    <>
      <PageHead
        title={t('organizations.title')}
        lead={seesAll ? t('organizations.leadAll') : t('organizations.leadOwn')}
        action={
          mayCreate && (
            <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
              {t('organizations.create')}
            </Button>
          )
        }
      />
      <ReceivedSection hidesEmpty onAccepted={() => void list.reload()} />
      <div class="section">
        <ItemList
          list={list}
          what={t('organizations.whatOrganizations')}
          empty={mayCreate ? t('organizations.noneCreate') : t('organizations.noneYet')}
          row={(organization) => <OrganizationRow key={organization.id} organization={organization} />}
        />
      </div>
      {creating && (
        <CreateOrganizationSheet
          onClose={() => setCreating(false)}
          onCreated={({ id }) => route(`/organizations/${id}`)}
        />
      )}
    </>
  );
}

const OrganizationRow = ({
  organization: { id, name, slug, myRole, memberCount },
}: {
  organization: ListedOrganization;
}) => (
  <li class="row row--link row--compact">
    <Avatar name={name} shape="organization" size="large" />
    <div class="row__text">
      <h2 class="row__title">
        <a class="row__link" href={`/organizations/${id}`}>
          <bdi>{name}</bdi>
        </a>
        {myRole && (
          <Badge tone={myRole === 'admin' ? 'accent' : 'quiet'}>{organizationRoleName(myRole)}</Badge>
        )}
      </h2>
      <p class="row__meta row__facts">
        <span class="organization-row__slug">{slug}</span>
        {memberCount && (
          <span>
            {t(memberCount.exact ? 'organizations.memberCount' : 'organizations.memberCountOrMore', {
              count: memberCount.count,
            })}
          </span>
        )}
      </p>
    </div>
    <Icon of={ChevronRight} />
  </li>
);
