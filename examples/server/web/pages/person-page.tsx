import type { Account } from 'latchkey/client';
import { useRoute } from 'preact-iso/router';
import { has } from '../capabilities.ts';
import { PageFailed } from '../components/page-failed.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { codeOf } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Person } from '../person/person.tsx';
import { Breadcrumb } from '../person/person-head.tsx';
import { usePersonRecord } from '../person/use-person-record.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { lastUsersUrl } from '../users/page-cursors.ts';

export function PersonPage() {
  const id = useRoute().params.id ?? '';
  return (
    <RequireRole allows={(role) => has(role, 'user:read')}>
      {(me) => <Loaded id={id} me={me} key={id} />}
    </RequireRole>
  );
}

function Loaded({ id, me }: { id: string; me: Account }) {
  const { resource, reload, change } = usePersonRecord(id);
  if (resource.status === 'loading') return <PageLoading rows={6} label={t('person.loading')} />;
  if (resource.status === 'failed') {
    // The service answers `invalid_request` if the id is not a UUID. No user has such an id.
    if (['not_found', 'invalid_request'].includes(codeOf(resource.error))) return <NoPerson />;
    return <PageFailed error={resource.error} retry={reload} />;
  }
  return <Person record={resource.value} me={me} onChange={change} />;
}

/** The service does not tell whether the user does not exist, was deleted, or is not visible to the signed-in user. */
const NoPerson = () => (
  <div class="section">
    <Breadcrumb>{t('person.notFound')}</Breadcrumb>
    <PageHeading title={t('person.notFound')} />
    <EmptyState
      action={
        <a class="button button--primary" href={lastUsersUrl()}>
          {t('person.toUsers')}
        </a>
      }
    >
      {t('person.notFoundHint')}
    </EmptyState>
  </div>
);
