import type { Role, UserStatus } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { SearchPrompt } from '../../components/search-prompt.tsx';
import { Table } from '../../components/table.tsx';
import { useDesk } from '../../hooks/desk-context.ts';
import { useEndOfList } from '../../hooks/end-of-list.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { useNotices } from '../../hooks/notices.tsx';
import { usePagedList } from '../../hooks/paged-list.ts';
import { useSelection } from '../../hooks/selection.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { nextOf } from '../next-of.ts';
import { isBack, isOpen, moveHint, type ScreenProps } from '../screen.ts';
import { userColumns } from './columns.ts';
import { PersonScreen } from './person-screen.tsx';

const roles = [undefined, 'superadmin', 'admin', 'user'] as const;
const statuses = [undefined, 'active', 'disabled'] as const;

const hints: KeyHint[] = [
  { keys: 'enter', does: 'open', means: 'open the selected person' },
  { keys: '/', does: 'search', means: 'search by the beginning of a username or name' },
  { keys: 'f', does: 'role', means: 'only superadmins, admins, users; everybody' },
  { keys: 's', does: 'status', means: 'only the active, the disabled; everybody' },
  { keys: 'esc', does: 'back', means: 'show everybody again, then back' },
  moveHint,
];

/** Everybody, to be found and opened. */
export function UsersScreen({ onBack }: ScreenProps): ReactNode {
  const { operator } = useDesk();
  const room = useRoom();
  const { say } = useNotices();
  const [query, setQuery] = useState('');
  const [role, setRole] = useState<Role | undefined>();
  const [status, setStatus] = useState<UserStatus | undefined>();
  const [isSearching, setSearching] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const list = usePagedList(
    (cursor) => operator.users.list({ query: query || undefined, role, status, cursor }),
    { every: 1000, key: JSON.stringify([query, role, status]), enabled: opened === null },
  );
  const items = list.items ?? [];
  const rows = room.rows - (isSearching ? 1 : 0);
  const selection = useSelection(items, ({ id }) => id, { pageRows: rows - 1 });
  useEndOfList(list, selection.index, items.length, rows);

  useKeys(
    (press) => {
      if (selection.move(press)) return;
      if (isOpen(press.name)) {
        say(null);
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
      say(null);
      setOpened(null);
    };
    return <PersonScreen username={opened} onBack={close} onGone={() => setOpened(null)} />;
  }
  const title = ['Users', role, status, query && `“${query}”`].filter(Boolean).join(' · ');
  return (
    <Frame title={title} keys={hints} trouble={list.trouble} isWaiting={list.isWaiting}>
      <Table
        columns={userColumns}
        rows={items}
        keyOf={({ id }) => id}
        selected={selection.index}
        width={room.columns}
        height={rows}
        empty={list.items ? emptyWords(query || role || status) : ''}
      />
      {isSearching && (
        <SearchPrompt
          label="Name begins with"
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

const emptyWords = (isNarrowed: unknown) =>
  isNarrowed ? 'Nobody like that; esc shows all.' : 'Nobody has signed up yet.';
