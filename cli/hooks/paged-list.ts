import type { Page } from 'latchkey';
import { useState } from 'react';
import { type Polled, usePoll } from './poll.ts';

export interface PagedList<T> extends Omit<Polled<T[]>, 'data' | 'key'> {
  /** Undefined as long as nothing was read. */
  items: T[] | undefined;
  hasMore: boolean;
  loadMore(): void;
}

/** A list that is kept current as far as it was looked at; the next page comes when it is asked for. */
export function usePagedList<T>(
  readPage: (cursor: string | undefined) => Promise<Page<T>>,
  { every, key, enabled = true }: { every: number; key: string; enabled?: boolean },
): PagedList<T> {
  const [asked, setAsked] = useState({ key, pages: 1 });
  const pages = asked.key === key ? asked.pages : 1;
  const polled = usePoll(() => readPages(readPage, pages), {
    every: every * pages,
    key: `${key}#${pages}`,
    enabled,
  });
  const { data, isWaiting, trouble, refresh } = polled;
  return {
    items: data?.items,
    hasMore: data?.hasMore ?? false,
    isWaiting,
    trouble,
    refresh,
    loadMore: () => {
      if (data?.hasMore && polled.key === `${key}#${pages}`) setAsked({ key, pages: pages + 1 });
    },
  };
}

async function readPages<T>(
  readPage: (cursor: string | undefined) => Promise<Page<T>>,
  pages: number,
): Promise<{ items: T[]; hasMore: boolean }> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page++) {
    const { items: more, nextCursor } = await readPage(cursor);
    items.push(...more);
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { items, hasMore: cursor !== undefined };
}
