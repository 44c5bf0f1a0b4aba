import type { AuditEvent } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { SearchPrompt } from '../../components/search-prompt.tsx';
import { Table } from '../../components/table.tsx';
import { useClock } from '../../hooks/clock.ts';
import { useDesk } from '../../hooks/desk-context.ts';
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
import { type Filters, filterWords, nouns, outcomes, searchOf } from './filters.ts';

const hints: KeyHint[] = [
  { keys: 'enter', does: 'details', means: 'all that is known of the selected event' },
  { keys: '/', does: 'by whom', means: 'only what somebody did' },
  { keys: 't', does: 'to whom', means: 'only what was done to somebody' },
  { keys: 'e', does: 'event', means: 'only one kind: account, passkey, password …' },
  { keys: 'f', does: 'outcome', means: 'only successes, failures; all' },
  { keys: 'esc', does: 'back', means: 'show all again, then back' },
  { ...moveHint, means: 'move; at the top you stay with the newest' },
];

const prompts = { by: 'Done by', to: 'Done to' };

/** The audit log as it grows, the newest first. */
export function ActivityScreen({ onBack }: ScreenProps): ReactNode {
  const { operator } = useDesk();
  const clock = useClock();
  const room = useRoom();
  const run = useTask();
  const [filters, setFilters] = useState<Filters>({});
  const [asking, setAsking] = useState<'by' | 'to' | null>(null);
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  const list = usePagedList((cursor) => operator.audit.list({ ...searchOf(filters), cursor }), {
    every: 2000,
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
    else if (press.name === 'e') setFilters({ ...filters, noun: nextOf(nouns, filters.noun) });
    else if (press.name === 'f') setFilters({ ...filters, outcome: nextOf(outcomes, filters.outcome) });
    else if (isBack(press.name) && filterWords(filters).length > 0) setFilters({});
    else if (isBack(press.name)) onBack();
  });

  const look = async (which: 'by' | 'to', username: string) => {
    setAsking(null);
    if (username === '') return setFilters((last) => ({ ...last, [which]: undefined }));
    const user = await run(
      'Looking them up…',
      () => operator.users.find(username),
      () => null,
    );
    if (user) setFilters((last) => ({ ...last, [which]: { id: user.id, username: user.username } }));
  };

  return (
    <Frame
      title={['Activity', ...filterWords(filters)].join(' · ')}
      keys={hints}
      trouble={list.trouble}
      isWaiting={list.isWaiting}
    >
      <Table
        columns={activityColumns(clock.now())}
        rows={items}
        keyOf={({ id }) => id}
        selected={selection.index}
        width={room.columns}
        height={rows}
        empty={list.items ? 'Nothing like that has happened.' : ''}
      />
      {opened && <EventDetails event={opened} height={dialog} onClose={() => setOpened(null)} />}
      {asking && (
        <SearchPrompt
          label={prompts[asking]}
          initial={filters[asking]?.username ?? ''}
          onSubmit={(username) => look(asking, username)}
          onCancel={() => setAsking(null)}
        />
      )}
    </Frame>
  );
}
