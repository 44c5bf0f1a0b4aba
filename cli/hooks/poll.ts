import { useEffect, useReducer, useRef, useState } from 'react';
import { pollErrorText, unreachableText } from '../words/explain-error.ts';
import { useClock } from './clock.ts';

/** After this time, the screen shows that something is loading. */
export const busyAfterMs = 300;
const stuckAfterMs = 3000;

export interface Polled<T> {
  /** The last result. A failed call does not remove it. */
  data: T | undefined;
  /** The key that `data` belongs to. */
  key: string | undefined;
  /** Whether the first result for the current key is slow to arrive. */
  isWaiting: boolean;
  /** Why the last call failed. Also set while a call takes too long. */
  problem: string | null;
  refresh(): void;
}

/**
 * Calls `read` until the screen closes. Each call starts `everyMs` milliseconds after the end of the previous one.
 *
 * @param options.key identifies what is read. A new key starts a new call without waiting for `everyMs`.
 */
export function usePoll<T>(
  read: () => Promise<T>,
  { everyMs, key = '', enabled = true }: { everyMs: number; key?: string; enabled?: boolean },
): Polled<T> {
  const clock = useClock();
  const [last, setLast] = useState<{ data: T; key: string }>();
  const [problem, setProblem] = useState<string | null>(null);
  const [isSlow, setSlow] = useState(false);
  const [round, refresh] = useReducer((count: number) => count + 1, 0);
  const latest = useRef(read);
  latest.current = read;
  const running = useRef<Promise<void>>(Promise.resolve());

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` makes refresh start a new call
  useEffect(() => {
    if (!enabled) return;
    let isStopped = false;
    let cancel = () => {};
    const readOnce = async () => {
      const whileOn = (act: () => void) => () => {
        if (!isStopped) act();
      };
      const slow = clock.after(
        busyAfterMs,
        whileOn(() => setSlow(true)),
      );
      const stuck = clock.after(
        stuckAfterMs,
        whileOn(() => setProblem(unreachableText)),
      );
      try {
        const data = await latest.current();
        if (isStopped) return;
        setLast({ data, key });
        setProblem(null);
      } catch (error) {
        if (!isStopped) setProblem(pollErrorText(error));
      } finally {
        slow();
        stuck();
        if (!isStopped) {
          setSlow(false);
          cancel = clock.after(everyMs, start);
        }
      }
    };
    const start = () => {
      running.current = running.current.then(() => (isStopped ? undefined : readOnce()));
    };
    start();
    return () => {
      isStopped = true;
      cancel();
      setSlow(false);
    };
  }, [clock, everyMs, key, enabled, round]);

  return {
    data: last?.data,
    key: last?.key,
    isWaiting: isSlow && last?.key !== key,
    problem,
    refresh,
  };
}
