import { useEffect } from 'react';
import type { PagedList } from './paged-list.ts';

/** Asks for the next page as the selection comes near the end of what is there. */
export function useEndOfList<T>(list: PagedList<T>, index: number, shown: number, pageRows: number): void {
  const isNear = list.hasMore && index >= shown - pageRows;
  useEffect(() => {
    if (isNear) list.loadMore();
  });
}
