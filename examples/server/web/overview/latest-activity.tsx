import { auth } from '../auth.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { EventLine } from '../dashboard/event-line.tsx';
import { T, t } from '../messages/t.tsx';
import { firstOrganizations } from '../organizations/first-organizations.ts';
import { CardSection } from '../ui/card.tsx';
import { hidden } from '../ui/hidden.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
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
    <CardSection
      title={t('overview.latest')}
      action={
        <a class="card__link" href="/admin/activity">
          <T id="overview.viewAllActivity" values={{ hidden }} />
        </a>
      }
    >
      {resource.status === 'loading' && <Skeleton rows={shown} label={t('overview.latestLoading')} />}
      {resource.status === 'failed' && (
        <div class="card__body">
          <LoadFailed error={resource.error} retry={reload} />
        </div>
      )}
      {resource.status === 'ready' && resource.value.events.length === 0 && (
        <p class="card__body card__note">{t('overview.latestEmpty')}</p>
      )}
      {resource.status === 'ready' && resource.value.events.length > 0 && (
        <ul>
          {resource.value.events.map((event) => (
            <EventLine
              key={event.id}
              event={event}
              context={{
                organizationName: (wanted) =>
                  resource.value.organizations.find(({ id }) => id === wanted)?.name,
              }}
            />
          ))}
        </ul>
      )}
    </CardSection>
  );
}
