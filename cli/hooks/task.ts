import { useRef } from 'react';
import { errorText } from '../words/explain-error.ts';
import { useClock } from './clock.ts';
import { useNotices } from './notices.tsx';
import { busyAfterMs } from './poll.ts';

/** Runs one task at a time and shows its result. Resolves to undefined if the task fails or another task is running. */
export function useTask(): <T>(
  busyText: string,
  task: () => Promise<T>,
  done: (result: T) => string | null,
) => Promise<T | undefined> {
  const clock = useClock();
  const { notify } = useNotices();
  const isBusy = useRef(false);
  return async (busyText, task, done) => {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    notify(null);
    const cancel = clock.after(busyAfterMs, () => notify({ kind: 'busy', text: busyText }));
    try {
      const result = await task();
      cancel();
      const text = done(result);
      notify(text === null ? null : { kind: 'done', text });
      return result;
    } catch (error) {
      cancel();
      notify({ kind: 'error', text: errorText(error) });
      return undefined;
    } finally {
      isBusy.current = false;
    }
  };
}
