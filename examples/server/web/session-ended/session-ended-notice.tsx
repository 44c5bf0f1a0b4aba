import { useAccount } from '../account.tsx';
import { t } from '../messages/t.tsx';
import { Notice } from '../ui/notice.tsx';

/** On the sign-in page: says that the session ended while a page was open. Renders nothing otherwise. */
export function SessionEndedNotice() {
  const { state } = useAccount();
  if (state.status !== 'signed-out' || state.endedFor === undefined) return null;
  return (
    <Notice tone="warning" title={t('layout.sessionEnded')}>
      {t('layout.sessionEndedNotice')}
    </Notice>
  );
}
