import type { Role, UserStatus } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { SearchPrompt } from '../../components/search-prompt.tsx';
import { Table } from '../../components/table.tsx';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useEndOfList } from '../../hooks/end-of-list.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { useNotices } from '../../hooks/notices.tsx';
import { usePagedList } from '../../hooks/paged-list.ts';
import { useSelection } from '../../hooks/selection.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { nextOf } from '../next-of.ts';
import { isBack, isOpen, moveHint, type ScreenProps } from '../screen.ts';
import { userColumns } from './columns.ts';
import { UserScreen } from './user-screen.tsx';

const roles = [undefined, 'superadmin', 'admin', 'user'] as const;
const statuses = [undefined, 'active', 'disabled'] as const;

const hints: KeyHint[] = [
  { keys: 'enter', does: 'open', means: 'show the selected user' },
  { keys: '/', does: 'search', means: 'search by the beginning of a username or display name' },
  { keys: 'f', does: 'filter role', means: 'show only superadmins, admins or users' },
  { keys: 's', does: 'filter status', means: 'show only active or disabled users' },
  { keys: 'esc', does: 'back', means: 'clear search and filters; without them, go back' },
  moveHint,
];

/** The list of users. */
export function UsersScreen({ onBack }: ScreenProps): ReactNode {
  const { operator } = useCliContext();
  const room = useRoom();
  const { notify } = useNotices();
  const [query, setQuery] = useState('');
  const [role, setRole] = useState<Role | undefined>();
  const [status, setStatus] = useState<UserStatus | undefined>();
  const [isSearching, setSearching] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const list = usePagedList(
    'users',
    (cursor) => operator.users.list({ query: query || undefined, role, status, cursor }),
    { everyMs: 1000, key: JSON.stringify([query, role, status]), enabled: opened === null },
  );
  const items = list.items ?? [];
  const rows = room.rows - (isSearching ? 1 : 0);
  const selection = useSelection(items, ({ id }) => id, { pageRows: rows - 1 });
  useEndOfList(list, selection.index, items.length, rows);

  useKeys(
    (press) => {
      if (selection.move(press)) return;
      if (isOpen(press.name)) {
        notify(null);
        setOpened(selection.item?.username ?? null);
      } else if (press.name === '/') setSearching(true);
      else if (press.name === 'f') setRole(nextOf(roles, role));
      else if (press.name === 's') setStatus(nextOf(statuses, status));
      else if (isBack(press.name) && (query || role || status)) {
        setQuery('');
        setRole(undefined);
        setStatus(undefined);
      } else if (isBack(press.name)) onBack();
    },
    { enabled: opened === null },
  );

  if (opened !== null) {
    const close = () => {
      notify(null);
      setOpened(null);
    };
    return <UserScreen username={opened} onBack={close} onDeleted={() => setOpened(null)} />;
  }
  const title = ['Users', role, status, query && `“${query}”`].filter(Boolean).join(' · ');
  return (
    <Frame title={title} keys={hints} problem={list.problem} isWaiting={list.isWaiting}>
      <Table
        columns={userColumns}
        rows={items}
        keyOf={({ id }) => id}
        selected={selection.index}
        width={room.columns}
        height={rows}
        empty={list.items ? emptyText(query || role || status) : ''}
      />
      {isSearching && (
        <SearchPrompt
          label="Username or display name begins with"
          initial={query}
          onChange={setQuery}
          onSubmit={() => setSearching(false)}
          onCancel={() => {
            setQuery('');
            setSearching(false);
          }}
        />
      )}
    </Frame>
  );
}

const emptyText = (isFiltered: unknown) =>
  isFiltered
    ? 'No users match. Press esc to show all users.'
    : 'No users. Create the first one on the Bootstrap screen.';
