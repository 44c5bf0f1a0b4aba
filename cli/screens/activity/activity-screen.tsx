import type { AuditEvent } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { SearchPrompt } from '../../components/search-prompt.tsx';
import { Table } from '../../components/table.tsx';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useClock } from '../../hooks/clock.ts';
import { useEndOfList } from '../../hooks/end-of-list.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { usePagedList } from '../../hooks/paged-list.ts';
import { useSelection } from '../../hooks/selection.ts';
import { useTask } from '../../hooks/task.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { nextOf } from '../next-of.ts';
import { isBack, isOpen, moveHint, type ScreenProps } from '../screen.ts';
import { activityColumns } from './columns.ts';
import { EventDetails, eventDetailsHeight } from './event-details.tsx';
import { describeFilters, type Filters, kinds, outcomes, searchOf } from './filters.ts';

const hints: KeyHint[] = [
  { keys: 'enter', does: 'details', means: 'show the details of the selected event' },
  { keys: '/', does: 'filter actor', means: 'show only events of one actor' },
  { keys: 't', does: 'target', means: 'show only events with one target user' },
  { keys: 'e', does: 'event', means: 'show only events of one kind, such as passkey events' },
  { keys: 'f', does: 'outcome', means: 'show only successes or failures' },
  { keys: 'esc', does: 'back', means: 'clear the filters; without filters, go back' },
  { ...moveHint, means: 'move; at the top, the selection follows new events' },
];

const prompts = { by: 'Username of the actor', to: 'Username of the target' };

/** The live audit log, newest first. */
export function ActivityScreen({ onBack }: ScreenProps): ReactNode {
  const { operator } = useCliContext();
  const clock = useClock();
  const room = useRoom();
  const run = useTask();
  const [filters, setFilters] = useState<Filters>({});
  const [asking, setAsking] = useState<'by' | 'to' | null>(null);
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  const list = usePagedList('events', (cursor) => operator.audit.list({ ...searchOf(filters), cursor }), {
    everyMs: 2000,
    key: JSON.stringify(filters),
  });
  const items = list.items ?? [];
  const dialog = opened ? Math.min(room.rows - 4, eventDetailsHeight(opened)) : asking ? 1 : 0;
  const rows = room.rows - dialog;
  const selection = useSelection(items, ({ id }) => id, { pageRows: rows - 1, follow: true });
  useEndOfList(list, selection.index, items.length, rows);

  useKeys((press) => {
    if (selection.move(press)) return;
    if (isOpen(press.name)) setOpened(selection.item ?? null);
    else if (press.name === '/') setAsking('by');
    else if (press.name === 't') setAsking('to');
    else if (press.name === 'e') setFilters({ ...filters, kind: nextOf(kinds, filters.kind) });
    else if (press.name === 'f') setFilters({ ...filters, outcome: nextOf(outcomes, filters.outcome) });
    else if (isBack(press.name) && describeFilters(filters).length > 0) setFilters({});
    else if (isBack(press.name)) onBack();
  });

  const filterByUser = async (which: 'by' | 'to', username: string) => {
    setAsking(null);
    if (username === '') return setFilters((last) => ({ ...last, [which]: undefined }));
    const user = await run(
      'Looking up the user…',
      async () => (await operator.users.get(username)).user,
      () => null,
    );
    if (user) setFilters((last) => ({ ...last, [which]: { id: user.id, username: user.username } }));
  };

  return (
    <Frame
      title={['Activity', ...describeFilters(filters)].join(' · ')}
      keys={hints}
      problem={list.problem}
      isWaiting={list.isWaiting}
    >
      <Table
        columns={activityColumns(clock.now())}
        rows={items}
        keyOf={({ id }) => id}
        selected={selection.index}
        width={room.columns}
        height={rows}
        empty={list.items ? emptyText(describeFilters(filters).length > 0) : ''}
      />
      {opened && <EventDetails event={opened} height={dialog} onClose={() => setOpened(null)} />}
      {asking && (
        <SearchPrompt
          label={prompts[asking]}
          initial={filters[asking]?.username ?? ''}
          onSubmit={(username) => filterByUser(asking, username)}
          onCancel={() => setAsking(null)}
        />
      )}
    </Frame>
  );
}

const emptyText = (isFiltered: boolean) =>
  isFiltered
    ? 'No events match. Press esc to show all events.'
    : 'No events. Sign-ups, sign-ins and changes appear here.';
