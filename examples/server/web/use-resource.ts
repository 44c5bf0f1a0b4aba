import { useCallback, useEffect, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import { isAboutSession } from './explain.ts';

export type Resource<T> =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; value: T };

/** Loads something when the component appears. `load` must be stable. `update` changes what was loaded in place. */
export function useResource<T>(load: () => Promise<T>) {
  const { refresh } = useAccount();
  const [resource, setResource] = useState<Resource<T>>({ status: 'loading' });

  const reload = useCallback(async () => {
    setResource({ status: 'loading' });
    try {
      setResource({ status: 'ready', value: await load() });
    } catch (error) {
      setResource({ status: 'failed', error });
      if (isAboutSession(error)) void refresh();
    }
  }, [load, refresh]);

  const update = useCallback((change: (value: T) => T) => {
    setResource((now) => (now.status === 'ready' ? { status: 'ready', value: change(now.value) } : now));
  }, []);

  useEffect(() => void reload(), [reload]);
  return { resource, reload, update };
}
