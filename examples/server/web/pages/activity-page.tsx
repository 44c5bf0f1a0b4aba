import type { Organization } from 'latchkey/client';
import { ActivityFilters } from '../activity/activity-filters.tsx';
import { isNarrowed } from '../activity/choice.ts';
import { EventList } from '../activity/event-list.tsx';
import { ExportMenu, useExport } from '../activity/export-menu.tsx';
import { useChoice } from '../activity/use-choice.ts';
import { useEvents } from '../activity/use-events.ts';
import { auth } from '../auth.ts';
import { has, scopeOf } from '../capabilities.ts';
import { PageHead } from '../components/page-head.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useResource } from '../use-resource.ts';

export const ActivityPage = () => (
  <RequireRole allows={(role) => has(role, 'audit:read')}>
    {({ role }) => <Activity isAll={scopeOf(role, 'audit:read') === 'any'} />}
  </RequireRole>
);

function Activity({ isAll }: { isAll: boolean }) {
  const { choice, choose, clear } = useChoice();
  const { list, unknownUser } = useEvents(choice);
  const organizations = useOrganizations();
  const download = useExport(choice);
  const organizationName = (wanted: string) => organizations.find(({ id }) => id === wanted)?.name;
  return (
    <div class="section activity">
      <PageHead
        title={t('activity.title')}
        lead={t(isAll ? 'activity.leadAll' : 'activity.leadManaged')}
        action={<ExportMenu download={download} isUnknown={unknownUser !== null} />}
      />
      <ErrorNotice error={download.error} />
      <ActivityFilters choice={choice} choose={choose} clear={clear} organizations={organizations} />
      <EventList
        list={list}
        context={{ organizationName, canProve: isAll }}
        empty={
          isNarrowed(choice) ? (
            <NoMatches unknownUser={unknownUser} onClear={clear} />
          ) : (
            <NothingYet isAll={isAll} />
          )
        }
      />
    </div>
  );
}

const NoMatches = ({ unknownUser, onClear }: { unknownUser: string | null; onClear: () => void }) => (
  <EmptyState
    title={
      unknownUser === null ? t('activity.noMatches') : t('activity.noUserMatches', { name: unknownUser })
    }
    action={<Button onClick={onClear}>{t('activity.clearFilters')}</Button>}
  >
    {t(unknownUser === null ? 'activity.noMatchesHint' : 'activity.noUserMatchesHint')}
  </EmptyState>
);

const NothingYet = ({ isAll }: { isAll: boolean }) => (
  <EmptyState title={t('activity.nothingYet')}>
    {isAll ? (
      t('activity.nothingYetAll')
    ) : (
      <T
        id="activity.nothingYetManaged"
        values={{ link: (children) => <a href="/organizations">{children}</a> }}
      />
    )}
  </EmptyState>
);

const mostAtOnce = 200;
const loadOrganizations = () => auth.organizations.list({ limit: mostAtOnce });
const none: Organization[] = [];

/** The organizations, for their names. Empty if loading fails, because the page works without the names. */
function useOrganizations(): Organization[] {
  const { resource } = useResource(loadOrganizations);
  return resource.status === 'ready' ? resource.value.organizations : none;
}
