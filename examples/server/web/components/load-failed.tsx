import { useEffect } from 'preact/hooks';
import { codeOf } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { onServerBack } from '../server-away.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

interface LoadFailedProps {
  error: unknown;
  retry: () => Promise<void>;
}

/** Explains why loading failed, with a retry button. Retries automatically when the server answers again. */
export function LoadFailed({ error, retry }: LoadFailedProps) {
  const isUnreachable = codeOf(error) === 'network_error';
  useEffect(() => {
    if (!isUnreachable) return;
    return onServerBack(() => void retry());
  }, [isUnreachable, retry]);
  return (
    <ErrorNotice error={error} action={<Button onClick={() => void retry()}>{t('common.retry')}</Button>} />
  );
}
