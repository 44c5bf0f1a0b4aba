import type { ComponentChild, ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import type { LongList } from '../use-list.ts';
import { announce } from './announcer.tsx';
import { LoadFailed } from './load-failed.tsx';

interface ItemListProps<T> {
  list: LongList<T>;
  /** What the list contains, in the plural and in the language of the page, such as "users". */
  what: string;
  /** Shown if the list is empty. The first sentence of a string is the title. */
  empty: ComponentChildren;
  /** The columns, if the list is a table. `row` then returns a table row, otherwise a list item. */
  columns?: readonly Column[];
  row: (item: T) => ComponentChild;
}

/** A paged list: loading, failed, empty or loaded. A button loads the next page. */
export function ItemList<T>({ list, what, empty, columns, row }: ItemListProps<T>) {
  const { resource, isStale, reload, more } = list;
  const end = useRef<HTMLParagraphElement>(null);
  if (resource.status === 'loading') return <Skeleton rows={4} label={t('common.loadingList', { what })} />;
  if (resource.status === 'failed') return <LoadFailed error={resource.error} retry={reload} />;
  const { items, nextCursor } = resource.value;

  const showMore = async () => {
    await more.run();
    announce(t('common.loadedMore', { what }));
    // After the last page, the focused button no longer exists, so the focus moves to the end of the list.
    requestAnimationFrame(() => end.current?.focus());
  };

  if (items.length === 0)
    return typeof empty === 'string' ? <Empty sentences={empty} /> : <EmptyState>{empty}</EmptyState>;
  return (
    <>
      {columns ? (
        <Table label={capitalized(what)} columns={columns} isBusy={isStale}>
          {items.map(row)}
        </Table>
      ) : (
        <ul class="list" aria-busy={isStale}>
          {items.map(row)}
        </ul>
      )}
      <ErrorNotice error={more.error} />
      {nextCursor ? (
        <div class="list-end">
          <Button busy={more.busy} onClick={() => void showMore()}>
            {t('common.showMore', { what })}
          </Button>
        </div>
      ) : (
        <p class="list-end visually-hidden" tabIndex={-1} ref={end}>
          {t('common.endOfList', { what })}
        </p>
      )}
    </>
  );
}

const capitalized = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

function Empty({ sentences }: { sentences: string }) {
  const [title = '', ...rest] = sentences.split(/\.\s*/).filter(Boolean);
  return <EmptyState title={title}>{rest.map((sentence) => `${sentence}.`).join(' ')}</EmptyState>;
}
