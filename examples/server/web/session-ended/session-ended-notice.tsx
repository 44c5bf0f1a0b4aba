import { useAccount } from '../account.tsx';
import { t } from '../messages/t.tsx';
import { Notice } from '../ui/notice.tsx';

/** Says on the sign-in page that the session has ended. Renders nothing if no session ended. */
export function SessionEndedNotice() {
  const { state } = useAccount();
  if (state.status !== 'signed-out' || state.endedFor === undefined) return null;
  return (
    <Notice tone="warning" title={t('layout.sessionEnded')}>
      {t('layout.sessionEndedNotice')}
    </Notice>
  );
}
