import type { Account, User } from 'latchkey/client';
import { Plus } from 'lucide-static';
import { useState } from 'preact/hooks';
import { has, mayOpenInvitations, scopeOf } from '../capabilities.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { PageHead } from '../components/page-head.tsx';
import { focusPageHeading } from '../components/page-heading.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import { ExportButton, useUsersExport } from '../users/export-users.tsx';
import { NoUsers } from '../users/no-users.tsx';
import { SearchField } from '../users/search-field.tsx';
import { useUserCounts } from '../users/use-user-counts.ts';
import { useUserList } from '../users/use-user-list.ts';
import { useUsersQuery } from '../users/use-users-query.ts';
import type { UserAction } from '../users/user-actions.ts';
import { UserChips } from '../users/user-chips.tsx';
import { UserDialogs } from '../users/user-dialogs.tsx';
import { isFiltered } from '../users/users-query.ts';
import { UsersTable } from '../users/users-table.tsx';

export const UsersPage = () => (
  <RequireRole allows={(role) => has(role, 'user:read')}>{(me) => <Users me={me} />}</RequireRole>
);

function Users({ me }: { me: Account }) {
  const navigation = useUsersQuery();
  const { query, change } = navigation;
  const list = useUserList(navigation);
  const { resource, isStale, reload, update } = list;
  const seesSignIns = scopeOf(me.role, 'user:read') === 'any';
  const { counts, countAgain } = useUserCounts(query, seesSignIns, resource.status === 'ready');
  const download = useUsersExport(query);
  const [managing, setManaging] = useState<{ user: User; action: UserAction } | null>(null);
  const users = resource.status === 'ready' ? resource.value : null;

  // The changed user comes without details, so the known details stay.
  const replace = (user: User) => {
    update((known) => known.map((each) => (each.id === user.id ? { ...each, ...user } : each)));
    countAgain();
  };

  const onChanged = (user: User, words: string, undo?: () => Promise<User>) => {
    replace(user);
    setManaging(null);
    toast(words, undo && (async () => replace(await undo())));
  };

  const onRemoved = (user: User) => {
    // Removes the row immediately. The list then loads again, because its total has changed.
    update((known) => known.filter(({ id }) => id !== user.id));
    setManaging(null);
    toast(t('users.deleted', { name: user.username }));
    focusPageHeading();
    void reload();
    countAgain();
  };

  return (
    <div class="section">
      <PageHead
        title={t('users.title')}
        lead={seesSignIns ? undefined : t('users.leadManaged')}
        action={
          <div class="head-actions head-actions--compact">
            <ExportButton {...download} />
            {mayOpenInvitations(me.role) && (
              <a class="button button--primary" href="/admin/invitations">
                <Icon of={Plus} />
                {t('users.invite')}
              </a>
            )}
          </div>
        }
      />
      <ErrorNotice error={download.error} />
      <div class="list-filters">
        <SearchField
          label={t('users.search')}
          clear={t('users.clearSearch')}
          value={query.search}
          onValue={(search) => change({ search }, { replace: query.search !== '' && search !== '' })}
        />
        <UserChips {...navigation} counts={counts} seesSignIns={seesSignIns} />
      </div>
      {resource.status === 'loading' && <Skeleton rows={8} label={t('users.loading')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {users && users.items.length === 0 && <NoUsers {...navigation} counts={counts} />}
      {users && users.items.length > 0 && (
        <UsersTable
          users={users}
          isStale={isStale}
          me={me}
          seesSignIns={seesSignIns}
          navigation={navigation}
          onChoose={(user, action) => setManaging({ user, action })}
        />
      )}
      <p class="visually-hidden" role="status">
        {users && !isStale && isFiltered(query) && t('users.found', { count: users.total?.count ?? 0 })}
      </p>
      {managing && (
        <UserDialogs
          {...managing}
          me={me}
          onClose={() => setManaging(null)}
          onChanged={onChanged}
          onRemoved={onRemoved}
        />
      )}
    </div>
  );
}
