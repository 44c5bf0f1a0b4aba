import { EventsCard } from '../activity/events-card.tsx';
import { auth } from '../auth.ts';
import { T, t } from '../messages/t.tsx';
import { firstOrganizations } from '../organizations/first-organizations.ts';
import { hidden } from '../ui/hidden.tsx';
import { useResource } from '../use-resource.ts';

const shown = 6;

async function load() {
  const [{ events }, organizations] = await Promise.all([
    auth.audit.list({ limit: shown }),
    // If the names of the organizations cannot be loaded, the events are still readable.
    firstOrganizations().catch(() => []),
  ]);
  return { events, organizations };
}

/** The latest events of the service. */
export function LatestActivity() {
  const { resource, reload } = useResource(load);
  return (
    <EventsCard
      title={t('overview.latest')}
      viewAll={
        <a class="card__link" href="/admin/activity">
          <T id="overview.viewAllActivity" values={{ hidden }} />
        </a>
      }
      loadingLabel={t('overview.latestLoading')}
      empty={t('overview.latestEmpty')}
      resource={resource}
      reload={reload}
      organizations={resource.status === 'ready' ? resource.value.organizations : []}
    />
  );
}
