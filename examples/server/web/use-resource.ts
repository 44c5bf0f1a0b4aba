import { useCallback, useEffect, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import { isAboutSession } from './explain.ts';
import { noteFailure } from './server-away.ts';

export type Resource<T> =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; value: T };

/**
 * Loads a value when the component mounts. `load` must be the same function on each render, because a new function loads
 * the value again. `update` changes the loaded value without a request.
 */
export function useResource<T>(load: () => Promise<T>) {
  const { refresh } = useAccount();
  const [resource, setResource] = useState<Resource<T>>({ status: 'loading' });

  const reload = useCallback(async () => {
    setResource({ status: 'loading' });
    try {
      setResource({ status: 'ready', value: await load() });
    } catch (error) {
      setResource({ status: 'failed', error });
      noteFailure(error);
      if (isAboutSession(error)) void refresh();
    }
  }, [load, refresh]);

  const update = useCallback((change: (value: T) => T) => {
    setResource((now) => (now.status === 'ready' ? { status: 'ready', value: change(now.value) } : now));
  }, []);

  useEffect(() => void reload(), [reload]);
  return { resource, reload, update };
}
