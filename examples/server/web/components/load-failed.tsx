import { useEffect } from 'preact/hooks';
import { codeOf } from '../explain.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

interface LoadFailedProps {
  error: unknown;
  retry: () => Promise<void>;
}

/** Explains why loading failed, with a retry button. Retries automatically when the browser is online again. */
export function LoadFailed({ error, retry }: LoadFailedProps) {
  const isUnreachable = codeOf(error) === 'network_error';
  useEffect(() => {
    if (!isUnreachable) return;
    const again = () => void retry();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isUnreachable, retry]);
  return <ErrorNotice error={error} action={<Button onClick={() => void retry()}>Try again</Button>} />;
}
