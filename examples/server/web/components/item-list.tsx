import type { ComponentChild, ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { LongList } from '../use-list.ts';
import { announce } from './announcer.tsx';
import { Button } from './button.tsx';
import { LoadFailed } from './load-failed.tsx';
import { ErrorNotice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface ItemListProps<T> {
  list: LongList<T>;
  /** What the list contains, such as "users". */
  what: string;
  /** Shown if the list is empty. */
  empty: ComponentChildren;
  row: (item: T) => ComponentChild;
}

/** A paged list: loading, failed, empty or loaded. A button loads the next page. */
export function ItemList<T>({ list, what, empty, row }: ItemListProps<T>) {
  const { resource, isStale, reload, more } = list;
  const end = useRef<HTMLParagraphElement>(null);
  if (resource.status === 'loading') return <Skeleton rows={4} label={`Loading the ${what}`} />;
  if (resource.status === 'failed') return <LoadFailed error={resource.error} retry={reload} />;
  const { items, nextCursor } = resource.value;

  const showMore = async () => {
    await more.run();
    announce(`Loaded more ${what}.`);
    // After the last page, the focused button no longer exists, so the focus moves to the end of the list.
    requestAnimationFrame(() => end.current?.focus());
  };

  if (items.length === 0) return <p class="empty">{empty}</p>;
  return (
    <>
      <ul class="list" aria-busy={isStale}>
        {items.map(row)}
      </ul>
      <ErrorNotice error={more.error} />
      {nextCursor ? (
        <div class="list-end">
          <Button busy={more.busy} onClick={() => void showMore()}>
            Show more {what}
          </Button>
        </div>
      ) : (
        <p class="list-end visually-hidden" tabIndex={-1} ref={end}>
          End of the list of {what}.
        </p>
      )}
    </>
  );
}
