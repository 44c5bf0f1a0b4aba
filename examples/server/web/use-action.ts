import { useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import { codeOf, isAboutSession } from './explain.ts';
import { noteFailure } from './server-away.ts';

/** An action that the user starts. Ignores further runs while the action is running. Keeps the error of the last run. */
export function useAction<Given extends unknown[]>(action: (...given: Given) => Promise<void>) {
  const { refresh, hasEnded } = useAccount();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  // After the user has signed in again, the error `not_authenticated` no longer applies.
  useEffect(() => {
    if (!hasEnded) setError((last: unknown) => (codeOf(last) === 'not_authenticated' ? null : last));
  }, [hasEnded]);

  async function run(...given: Given): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await action(...given);
    } catch (failure) {
      setError(failure);
      noteFailure(failure);
      if (isAboutSession(failure)) void refresh();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { run, busy, error, forget: () => setError(null) };
}
