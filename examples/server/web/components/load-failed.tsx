import { useEffect } from 'preact/hooks';
import { codeOf } from '../explain.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

interface LoadFailedProps {
  error: unknown;
  retry: () => Promise<void>;
}

/** What could not be had, to be asked for again. What only the connection was missing for comes back with that. */
export function LoadFailed({ error, retry }: LoadFailedProps) {
  const isUnreached = codeOf(error) === 'network_error';
  useEffect(() => {
    if (!isUnreached) return;
    const again = () => void retry();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isUnreached, retry]);
  return <ErrorNotice error={error} action={<Button onClick={() => void retry()}>Try again</Button>} />;
}
