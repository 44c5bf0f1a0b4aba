import { useEffect } from 'react';
import type { PagedList } from './paged-list.ts';

/** Loads the next page when the selection approaches the end of the list. */
export function useEndOfList<T>(list: PagedList<T>, index: number, shown: number, pageRows: number): void {
  const isNear = list.hasMore && index >= shown - pageRows;
  useEffect(() => {
    if (isNear) list.loadMore();
  });
}
