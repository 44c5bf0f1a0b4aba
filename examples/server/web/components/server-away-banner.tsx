import { Unplug } from 'lucide-static';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { announceServerBack, answers, onServerAway } from '../server-away.ts';
import { Button } from '../ui/button.tsx';

const firstWaitSeconds = 5;
const longestWaitSeconds = 40;

/**
 * Says that the server does not answer, and tries again after 5, 10, 20 and then every 40 seconds. The cause can be
 * the server or the network, so the banner names neither.
 */
export function ServerAwayBanner() {
  const { refresh } = useAccount();
  /** The seconds before the next attempt. Null: the server answers. */
  const [wait, setWait] = useState<number | null>(null);
  const [left, setLeft] = useState(0);
  const trying = useRef(false);

  const attempt = useCallback(
    async (waited: number) => {
      if (trying.current) return;
      trying.current = true;
      const isBack = await answers();
      trying.current = false;
      if (!isBack) {
        const next = Math.min(waited === 0 ? firstWaitSeconds : waited * 2, longestWaitSeconds);
        setWait(next);
        return setLeft(next);
      }
      setWait(null);
      if (waited === 0) return;
      announceServerBack();
      void refresh();
    },
    [refresh],
  );

  useEffect(() => {
    const tryNow = () => void attempt(wait ?? 0);
    onServerAway(() => wait === null && tryNow());
    addEventListener('online', tryNow);
    addEventListener('offline', tryNow);
    return () => {
      removeEventListener('online', tryNow);
      removeEventListener('offline', tryNow);
    };
  }, [attempt, wait]);

  useEffect(() => {
    if (wait === null) return;
    if (left === 0) return void attempt(wait);
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [attempt, wait, left]);

  return (
    <div>
      {wait !== null && (
        <div class="server-away">
          <Icon of={Unplug} />
          <div role="status">
            <p class="notice__title">{t('common.serverAway')}</p>
            <p>
              {t('common.serverAwayLead')} <span aria-hidden="true">{nextAttempt(left)}</span>
            </p>
          </div>
          <Button size="small" onClick={() => void attempt(wait)}>
            {t('common.tryNow')}
          </Button>
        </div>
      )}
    </div>
  );
}

const nextAttempt = (seconds: number): string =>
  seconds === 0 ? t('common.tryingAgain') : t('common.tryingAgainIn', { seconds });
