import { useReducer, useRef } from 'react';
import type { Press } from './presses.ts';

interface Selection<T> {
  index: number;
  item: T | undefined;
  /** Moves the selection. Returns false if the pressed key does not move it. */
  move(press: Press): boolean;
  /** Selects the item for which `keyOf` returns `key`, as soon as the list contains this item. */
  select(key: string): void;
}

interface Anchor {
  key: string | undefined;
  index: number;
  isAwaited: boolean;
}

/**
 * Keeps the selected item of a list. The selection stays on the same item when the list changes.
 *
 * @param options.follow whether a selection on the first item moves to the new first item when the list changes
 */
export function useSelection<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { pageRows, follow = false }: { pageRows: number; follow?: boolean },
): Selection<T> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const anchor = useRef<Anchor>({ key: undefined, index: 0, isAwaited: false });
  const isFollowing = follow && anchor.current.index === 0;
  const found = isFollowing ? 0 : items.findIndex((item) => keyOf(item) === anchor.current.key);
  const index = found >= 0 ? found : within(anchor.current.index, items.length);
  const item = items[index];
  if (found >= 0 || !anchor.current.isAwaited)
    anchor.current = { key: item && keyOf(item), index, isAwaited: false };

  return {
    index,
    item,
    move: ({ name }) => {
      const step = stepOf(name, Math.max(1, pageRows - 1));
      if (step === undefined) return false;
      const next = within(anchor.current.index + step, items.length);
      const target = items[next];
      anchor.current = { key: target && keyOf(target), index: next, isAwaited: false };
      redraw();
      return true;
    },
    select: (key) => {
      anchor.current = { key, index: anchor.current.index, isAwaited: true };
      redraw();
    },
  };
}

const within = (index: number, length: number) => Math.max(0, Math.min(index, length - 1));

function stepOf(name: string, page: number): number | undefined {
  if (name === 'up' || name === 'k') return -1;
  if (name === 'down' || name === 'j') return 1;
  if (name === 'pageup' || name === 'ctrl+b' || name === 'ctrl+u') return -page;
  if (name === 'pagedown' || name === 'ctrl+f' || name === 'ctrl+d') return page;
  if (name === 'home' || name === 'g') return Number.NEGATIVE_INFINITY;
  if (name === 'end' || name === 'G') return Number.POSITIVE_INFINITY;
  return undefined;
}
