import type { Page } from 'latchkey/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import { codeOf, isAboutSession } from './explain.ts';
import { noteFailure } from './server-away.ts';
import { useAction } from './use-action.ts';
import type { Resource } from './use-resource.ts';

export type ItemPage<T> = Page<'items', T>;

export type LongList<T, P extends ItemPage<T> = ItemPage<T>> = ReturnType<typeof useList<T, P>>;

/**
 * A paged list. `load` must be the same function on each render, because a new function loads the list again and cancels
 * earlier requests. The previous items stay visible until the new items arrive.
 *
 * @template P the page that `load` returns. It can contain more than the items, such as a total.
 */
export function useList<T, P extends ItemPage<T> = ItemPage<T>>(
  load: (cursor: string | null, signal: AbortSignal) => Promise<P>,
) {
  const { refresh } = useAccount();
  const underWay = useRef(new AbortController());
  const [resource, setResource] = useState<Resource<P>>({ status: 'loading' });
  const [isStale, setStale] = useState(false);

  const reload = useCallback(async () => {
    underWay.current.abort();
    underWay.current = new AbortController();
    const { signal } = underWay.current;
    setResource((now) => (now.status === 'ready' ? now : { status: 'loading' }));
    setStale(true);
    try {
      const value = await load(null, signal);
      if (signal.aborted) return;
      setResource({ status: 'ready', value });
    } catch (error) {
      if (signal.aborted) return;
      setResource({ status: 'failed', error });
      noteFailure(error);
      if (isAboutSession(error)) void refresh();
    }
    setStale(false);
  }, [load, refresh]);

  useEffect(() => {
    void reload();
    return () => underWay.current.abort();
  }, [reload]);

  const update = useCallback((change: (items: T[]) => T[]) => {
    setResource((now) =>
      now.status === 'ready'
        ? { status: 'ready', value: { ...now.value, items: change(now.value.items) } }
        : now,
    );
  }, []);

  const more = useAction(async () => {
    if (resource.status !== 'ready') return;
    const { signal } = underWay.current;
    try {
      const { items, nextCursor } = await load(resource.value.nextCursor, signal);
      update((known) => [...known, ...items]);
      setResource((now) =>
        now.status === 'ready' ? { status: 'ready', value: { ...now.value, nextCursor } } : now,
      );
    } catch (error) {
      if (codeOf(error) !== 'aborted') throw error;
    }
  });

  return { resource, isStale, reload, update, more };
}
