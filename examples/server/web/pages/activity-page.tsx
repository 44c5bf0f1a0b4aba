import type { AuditEvent, AuditFilters, Organization } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { ActivityFilters } from '../activity/activity-filters.tsx';
import { EventRow } from '../activity/event-row.tsx';
import { useFilters } from '../activity/use-filters.ts';
import { auth } from '../auth.ts';
import { has, scopeOf } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { useList } from '../use-list.ts';
import { useResource } from '../use-resource.ts';

export const ActivityPage = () => (
  <RequireRole allows={(role) => has(role, 'audit:read')}>
    {({ role }) => <Activity isAll={scopeOf(role, 'audit:read') === 'any'} />}
  </RequireRole>
);

const none: Organization[] = [];

function Activity({ isAll }: { isAll: boolean }) {
  const narrowing = useFilters();
  const { filters, isNarrowed } = narrowing;
  const list = useEvents(filters);
  const organizations = useOrganizations();
  // The response has the header `Content-Disposition: attachment`, so the page stays open.
  const download = useAction(async () => location.assign(await auth.audit.prepareExport(filters)));
  const organizationName = (wanted: string) => organizations.find(({ id }) => id === wanted)?.name;
  return (
    <div class="section">
      <PageHead
        title="Activity"
        lead={
          isAll
            ? 'Every event in the audit log.'
            : 'Events in the organizations that you manage. A member’s events from before they joined are not shown.'
        }
        action={
          <Button busy={download.busy} onClick={() => void download.run()}>
            Export as NDJSON
          </Button>
        }
      />
      <ErrorNotice error={download.error} />
      <ActivityFilters organizations={organizations} narrowing={narrowing} />
      <ItemList
        list={list}
        what="events"
        empty={isNarrowed ? 'No events match.' : <NothingYet isAll={isAll} />}
        row={(event) => <EventRow key={event.id} event={event} organizationName={organizationName} />}
      />
    </div>
  );
}

const NothingYet = ({ isAll }: { isAll: boolean }) =>
  isAll ? (
    <>No events yet. Every sign-in and every change appears here.</>
  ) : (
    <>
      No events yet. Events in <a href="/organizations">organizations</a> that you manage appear here.
    </>
  );

const useEvents = (filters: AuditFilters) =>
  useList<AuditEvent>(
    useCallback(
      async (cursor, signal) => {
        const { events, nextCursor } = await auth.audit.list({ ...filters, cursor }, { signal });
        return { items: events, nextCursor };
      },
      [filters],
    ),
  );

const mostAtOnce = 200;
const loadOrganizations = () => auth.organizations.list({ limit: mostAtOnce });

/** The organizations, for their names. Empty if loading fails, because the page works without the names. */
function useOrganizations(): Organization[] {
  const { resource } = useResource(loadOrganizations);
  return resource.status === 'ready' ? resource.value.organizations : none;
}
