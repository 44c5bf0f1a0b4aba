import type { Account, Role, User } from 'latchkey/client';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { has, scopeOf } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { focusPageHeading } from '../components/page-heading.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { Filters, SearchFilter, SelectFilter } from '../ui/filters.tsx';
import { toast } from '../ui/toast.tsx';
import { useList } from '../use-list.ts';
import { useSettled } from '../use-settled.ts';
import type { UserAction } from '../users/user-actions.ts';
import { UserDialogs } from '../users/user-dialogs.tsx';
import { UserRow, userColumns } from '../users/user-row.tsx';

export const UsersPage = () => (
  <RequireRole allows={(role) => has(role, 'user:read')}>{(me) => <Users me={me} />}</RequireRole>
);

const roles = [
  ['', 'Any role'],
  ['user', 'Users'],
  ['admin', 'Admins'],
  ['superadmin', 'Superadmins'],
] as const;

const statuses = [
  ['', 'Any status'],
  ['active', 'Active'],
  ['disabled', 'Disabled'],
] as const;

function Users({ me }: { me: Account }) {
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<Role | ''>('');
  const [status, setStatus] = useState<User['status'] | ''>('');
  const [managing, setManaging] = useState<{ user: User; action: UserAction } | null>(null);
  const query = useSettled(typed.trim());
  const list = useUsers(query, role, status);
  const isFiltered = query !== '' || role !== '' || status !== '';

  const replace = (user: User) =>
    list.update((users) => users.map((known) => (known.id === user.id ? user : known)));

  const onChanged = (user: User, words: string, undo?: () => Promise<User>) => {
    replace(user);
    setManaging(null);
    toast(words, undo && (async () => replace(await undo())));
  };

  const onRemoved = (user: User) => {
    list.update((users) => users.filter(({ id }) => id !== user.id));
    setManaging(null);
    toast(`${user.username} was deleted`);
    focusPageHeading();
  };

  return (
    <div class="section">
      <PageHead title="Users" lead={leads[scopeOf(me.role, 'user:read') === 'any' ? 'any' : 'managed']} />
      <Filters label="Filter users">
        <SearchFilter label="Name" value={typed} onValue={setTyped} />
        <SelectFilter label="Role" value={role} onValue={setRole} options={roles} />
        <SelectFilter label="Status" value={status} onValue={setStatus} options={statuses} />
      </Filters>
      <ItemList
        list={list}
        what="users"
        empty={isFiltered ? 'No users match.' : <NoUsersYet />}
        columns={userColumns}
        row={(user) => (
          <UserRow key={user.id} user={user} me={me} onChoose={(action) => setManaging({ user, action })} />
        )}
      />
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

const useUsers = (search: string, role: Role | '', status: User['status'] | '') =>
  useList<User>(
    useCallback(
      async (cursor, signal) => {
        const filters = { search, role: role || undefined, status: status || undefined, cursor };
        const { users, nextCursor } = await auth.users.list(filters, { signal });
        return { items: users, nextCursor };
      },
      [search, role, status],
    ),
  );

const leads = {
  managed:
    'Members of the organizations that you manage. You can help a member only if you manage all of the member’s organizations. You can’t help admins or organization admins.',
  any: 'All accounts.',
};

const NoUsersYet = () => (
  <>
    No users yet. Members of <a href="/organizations">organizations</a> that you manage appear here. To add
    the first one, invite a member to an organization.
  </>
);
