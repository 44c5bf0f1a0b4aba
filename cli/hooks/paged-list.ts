import type { Page } from 'latchkey';
import { useState } from 'react';
import { type Polled, usePoll } from './poll.ts';

export interface PagedList<T> extends Omit<Polled<T[]>, 'data' | 'key'> {
  /** Undefined until the first page has loaded. */
  items: T[] | undefined;
  hasMore: boolean;
  loadMore(): void;
}

/**
 * Polls all loaded pages of a list. `loadMore` adds the next page.
 *
 * @param name the property of a page that contains the items
 */
export function usePagedList<Name extends string, T>(
  name: Name,
  readPage: (cursor: string | undefined) => Promise<Page<Name, T>>,
  { everyMs, key, enabled = true }: { everyMs: number; key: string; enabled?: boolean },
): PagedList<T> {
  const [requested, setRequested] = useState({ key, pages: 1 });
  const pages = requested.key === key ? requested.pages : 1;
  const polled = usePoll(() => readPages(name, readPage, pages), {
    everyMs: everyMs * pages,
    key: `${key}#${pages}`,
    enabled,
  });
  const { data, isWaiting, problem, refresh } = polled;
  return {
    items: data?.items,
    hasMore: data?.hasMore ?? false,
    isWaiting,
    problem,
    refresh,
    loadMore: () => {
      if (data?.hasMore && polled.key === `${key}#${pages}`) setRequested({ key, pages: pages + 1 });
    },
  };
}

async function readPages<Name extends string, T>(
  name: Name,
  readPage: (cursor: string | undefined) => Promise<Page<Name, T>>,
  pages: number,
): Promise<{ items: T[]; hasMore: boolean }> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page++) {
    const read = await readPage(cursor);
    items.push(...read[name]);
    cursor = read.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { items, hasMore: cursor !== undefined };
}
