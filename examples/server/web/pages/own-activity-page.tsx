import type { Account, OwnEvent } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { EventList } from '../activity/event-list.tsx';
import { OwnFilters, viewOf } from '../activity/own-filters.tsx';
import { auth } from '../auth.ts';
import { PageHead } from '../components/page-head.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { t } from '../messages/t.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { useList } from '../use-list.ts';
import { useResource } from '../use-resource.ts';

export const OwnActivityPage = () => <RequireAccount>{(user) => <OwnActivity user={user} />}</RequireAccount>;

const path = '/settings/activity';

function OwnActivity({ user }: { user: Account }) {
  const { query, route } = useLocation();
  const view = viewOf(query.show);
  const organizationName = useOrganizationNames();
  const list = useList<OwnEvent>(
    useCallback(
      async (cursor, signal) => {
        const { events, nextCursor } = await auth.audit.listOwn({ ...view.filters, cursor }, { signal });
        return { items: events, nextCursor };
      },
      [view],
    ),
  );
  return (
    <div class="section activity">
      <PageHead title={t('activity.ownTitle')} lead={t('activity.ownLead')} />
      <OwnFilters view={view} onView={(id) => route(id ? `${path}?show=${id}` : path)} />
      <EventList
        list={list}
        context={{ organizationName, reader: user }}
        empty={
          view.id === '' ? (
            <EmptyState title={t('activity.ownNothing')}>{t('activity.ownNothingHint')}</EmptyState>
          ) : (
            <EmptyState title={t('activity.noMatches')} />
          )
        }
      />
      <Notice
        tone="info"
        title={t('activity.ownAdviceTitle')}
        action={
          <a class="button button--secondary" href="/settings/security">
            {t('activity.ownAdviceLink')}
          </a>
        }
      >
        {t('activity.ownAdvice')}
      </Notice>
    </div>
  );
}

const loadOrganizations = async () =>
  (await auth.session({ include: ['organizations'] }))?.organizations ?? [];

/** The names of the user's organizations. The page works without them, so an error is ignored. */
function useOrganizationNames() {
  const { resource } = useResource(loadOrganizations);
  const organizations = resource.status === 'ready' ? resource.value : [];
  return (wanted: string) => organizations.find(({ id }) => id === wanted)?.name;
}
