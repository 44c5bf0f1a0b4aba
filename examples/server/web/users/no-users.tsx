import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { ChipCounts } from './use-user-counts.ts';
import type { UsersNavigation } from './use-users-query.ts';
import { textOf } from './user-chips.tsx';
import { isFiltered, isNarrowed, withoutChips } from './users-query.ts';

/** Shown instead of an empty list: why it is empty, and how to see users again. */
export function NoUsers({ query, change, counts }: UsersNavigation & { counts: ChipCounts }) {
  const { search } = query;
  if (!isFiltered(query)) return <NoUsersYet />;
  const hasFilters = isNarrowed(query);
  const found = textOf(counts.all);
  return (
    <EmptyState
      title={search === '' ? t('users.noMatch') : t('users.noMatchFor', { search })}
      action={
        <>
          {hasFilters && (
            <Button variant="primary" onClick={() => change({ ...withoutChips, organization: null })}>
              {t('users.clearFilters')}
            </Button>
          )}
          {search !== '' && (
            <Button variant={hasFilters ? 'secondary' : 'primary'} onClick={() => change({ search: '' })}>
              {t('users.clearSearch')}
            </Button>
          )}
        </>
      }
    >
      {search === '' || !hasFilters
        ? t('users.noMatchHint')
        : found === undefined || found === '0'
          ? t('users.noMatchFiltersOn')
          : t('users.noMatchFiltersHide', { count: counts.all?.count ?? 0 })}
    </EmptyState>
  );
}

const NoUsersYet = () => (
  <EmptyState>
    <T id="users.noneYet" values={{ link: (children) => <a href="/organizations">{children}</a> }} />
  </EmptyState>
);
