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

/**
 * Explains why loading failed, with a retry button. Retries automatically when the server answers again, or when the user
 * has signed in again.
 */
export function LoadFailed({ error, retry }: LoadFailedProps) {
  // The session can end while the page loads. After the next sign-in, SessionEnded announces that requests work again.
  const isTemporary = ['network_error', 'not_authenticated'].includes(codeOf(error));
  useEffect(() => {
    if (!isTemporary) return;
    return onServerBack(() => void retry());
  }, [isTemporary, retry]);
  return (
    <ErrorNotice error={error} action={<Button onClick={() => void retry()}>{t('common.retry')}</Button>} />
  );
}
