import { useRef } from 'react';
import { errorText } from '../words/explain-error.ts';
import { useClock } from './clock.ts';
import { useNotices } from './notices.tsx';
import { soon } from './poll.ts';

/** Does one thing at a time and says how it went; resolves to undefined where it went wrong. */
export function useTask(): <T>(
  doing: string,
  task: () => Promise<T>,
  done: (result: T) => string | null,
) => Promise<T | undefined> {
  const clock = useClock();
  const { say } = useNotices();
  const isBusy = useRef(false);
  return async (doing, task, done) => {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    say(null);
    const callOff = clock.after(soon, () => say({ kind: 'busy', text: doing }));
    try {
      const result = await task();
      callOff();
      const text = done(result);
      say(text === null ? null : { kind: 'done', text });
      return result;
    } catch (error) {
      callOff();
      say({ kind: 'fault', text: errorText(error) });
      return undefined;
    } finally {
      isBusy.current = false;
    }
  };
}
