import type { ListedUser, User, UserSort } from 'latchkey/client';
import { ChevronLeft, ChevronRight } from 'lucide-static';
import { t } from '../messages/t.tsx';
import { hasOrganizations } from '../site-settings.ts';
import { IconButton } from '../ui/button.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { previousPage } from './page-cursors.ts';
import { type CountedUsers, nextPage } from './use-user-list.ts';
import type { UsersNavigation } from './use-users-query.ts';
import type { UserAction } from './user-actions.ts';
import { UserRow } from './user-row.tsx';
import { usersOnPage } from './users-query.ts';

interface UsersTableProps {
  users: CountedUsers;
  isStale: boolean;
  me: User;
  seesSignIns: boolean;
  navigation: UsersNavigation;
  onChoose: (user: ListedUser, action: UserAction) => void;
}

export function UsersTable({ users, isStale, me, seesSignIns, navigation, onChoose }: UsersTableProps) {
  return (
    <Table
      label={t('users.title')}
      columns={columnsOf(navigation, seesSignIns)}
      isBusy={isStale}
      footer={<Footer users={users} navigation={navigation} />}
    >
      {users.items.map((user) => (
        <UserRow
          key={user.id}
          user={user}
          me={me}
          seesSignIns={seesSignIns}
          onChoose={(action) => onChoose(user, action)}
        />
      ))}
    </Table>
  );
}

/** The order after the first click on a column. */
const firstOrder = { username: 'asc', createdAt: 'desc', lastSignIn: 'desc' } as const;

function columnsOf({ query, change }: UsersNavigation, seesSignIns: boolean): Column[] {
  const sortable = (by: UserSort) => {
    const isActive = query.sort === by;
    const isReversed = isActive && query.order === firstOrder[by];
    return {
      sorted: isActive ? (query.order === 'asc' ? 'ascending' : 'descending') : undefined,
      onSort: () => {
        const opposite = firstOrder[by] === 'asc' ? 'desc' : 'asc';
        change({ sort: by, order: isReversed ? opposite : firstOrder[by] });
      },
    } as const;
  };
  const always: Column[] = [
    { name: t('users.name'), ...sortable('username') },
    { name: t('users.role') },
    { name: t('users.statusColumn'), shownFrom: 'medium' },
  ];
  const details: Column[] = [
    { name: t('users.passkeysColumn') },
    { name: t('users.lastSignIn'), ...sortable('lastSignIn') },
    ...(hasOrganizations ? [{ name: t('users.organizations'), shownFrom: 'wide' } as const] : []),
  ];
  return [
    ...always,
    ...(seesSignIns ? details : []),
    { name: t('users.joined'), ...(seesSignIns && { shownFrom: 'wide' }), ...sortable('createdAt') },
    { name: t('users.actions'), isHidden: true },
  ];
}

function Footer({ users, navigation: { query, change } }: Pick<UsersTableProps, 'users' | 'navigation'>) {
  const { items, total, page } = users;
  const first = (page - 1) * usersOnPage + 1;
  const last = first + items.length - 1;
  const pages = total?.exact ? Math.max(page, Math.ceil(total.count / usersOnPage)) : null;
  const next = nextPage(users);
  return (
    <>
      <span>
        {total === null
          ? t('users.range', { first, last })
          : t(total.exact ? 'users.rangeOf' : 'users.rangeOfMore', { first, last, total: total.count })}
      </span>
      {(page > 1 || next) && (
        <nav class="table-card__pages" aria-label={t('users.pages')}>
          <span>{pages === null ? t('users.page', { page }) : t('users.pageOf', { page, pages })}</span>
          <IconButton
            icon={ChevronLeft}
            label={t('users.previousPage')}
            aria-disabled={page === 1}
            onClick={() => page > 1 && change(previousPage(query))}
          />
          <IconButton
            icon={ChevronRight}
            label={t('users.nextPage')}
            aria-disabled={next === null}
            onClick={() => next && change(next)}
          />
        </nav>
      )}
    </>
  );
}
