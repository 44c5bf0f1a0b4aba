import type { Account } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { auth } from '../auth.ts';
import { PageFailed } from '../components/page-failed.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { codeOf } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { OrganizationView } from '../organizations/organization-view.tsx';
import { useResource } from '../use-resource.ts';

export function OrganizationPage() {
  const id = useRoute().params.id ?? '';
  return <RequireAccount>{(user) => <Organization id={id} user={user} key={id} />}</RequireAccount>;
}

function Organization({ id, user }: { id: string; user: Account }) {
  const { resource, reload, update } = useResource(useCallback(() => auth.organizations.get(id), [id]));
  if (resource.status === 'loading') return <PageLoading rows={4} label={t('organizations.loadingOne')} />;
  if (resource.status === 'failed') {
    if (codeOf(resource.error) !== 'not_found') return <PageFailed error={resource.error} retry={reload} />;
    return <NoOrganization />;
  }
  return (
    <OrganizationView
      organization={resource.value}
      user={user}
      onSaved={(saved) => update(() => saved)}
      reload={reload}
    />
  );
}

const NoOrganization = () => (
  <div class="section">
    <PageHeading title={t('organizations.notFound')} />
    <p>
      <T
        id="organizations.notFoundBody"
        values={{ link: (children) => <a href="/organizations">{children}</a> }}
      />
    </p>
  </div>
);
