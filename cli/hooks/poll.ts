import { useEffect, useReducer, useRef, useState } from 'react';
import { pollErrorText, unreachableText } from '../words/explain-error.ts';
import { useClock } from './clock.ts';

/** From here on a person should see that something is going on. */
export const soon = 300;
const tooLong = 3000;

export interface Polled<T> {
  /** What was read last, also while later reading fails. */
  data: T | undefined;
  /** The key that `data` was read for. */
  key: string | undefined;
  /** Reading what is shown next takes a while. */
  isWaiting: boolean;
  /** Why it does not go on just now. */
  trouble: string | null;
  refresh(): void;
}

/**
 * Reads something again and again, never twice at once, until the screen is left.
 *
 * @param options.key what is read; with another one it is read anew at once
 */
export function usePoll<T>(
  read: () => Promise<T>,
  { every, key = '', enabled = true }: { every: number; key?: string; enabled?: boolean },
): Polled<T> {
  const clock = useClock();
  const [last, setLast] = useState<{ data: T; key: string }>();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isSlow, setSlow] = useState(false);
  const [round, refresh] = useReducer((count: number) => count + 1, 0);
  const latest = useRef(read);
  latest.current = read;
  const running = useRef<Promise<void>>(Promise.resolve());

  // biome-ignore lint/correctness/useExhaustiveDependencies: refreshing begins a new round
  useEffect(() => {
    if (!enabled) return;
    let isOver = false;
    let callOff = () => {};
    const look = async () => {
      const whileOn = (act: () => void) => () => {
        if (!isOver) act();
      };
      const slow = clock.after(
        soon,
        whileOn(() => setSlow(true)),
      );
      const stuck = clock.after(
        tooLong,
        whileOn(() => setTrouble(unreachableText)),
      );
      try {
        const data = await latest.current();
        if (isOver) return;
        setLast({ data, key });
        setTrouble(null);
      } catch (error) {
        if (!isOver) setTrouble(pollErrorText(error));
      } finally {
        slow();
        stuck();
        if (!isOver) {
          setSlow(false);
          callOff = clock.after(every, start);
        }
      }
    };
    const start = () => {
      running.current = running.current.then(() => (isOver ? undefined : look()));
    };
    start();
    return () => {
      isOver = true;
      callOff();
      setSlow(false);
    };
  }, [clock, every, key, enabled, round]);

  return {
    data: last?.data,
    key: last?.key,
    isWaiting: isSlow && last?.key !== key,
    trouble,
    refresh,
  };
}
