import type { ListedSession } from 'latchkey/client';
import { useRef, useState } from 'preact/hooks';
import { LoadFailed } from '../components/load-failed.tsx';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { EndOthersDialog } from './end-others-dialog.tsx';
import { SessionRow } from './session-row.tsx';
import { SettingsSection } from './settings-section.tsx';
import type { Sessions } from './use-sessions.ts';

export function SessionsSection({ sessions }: { sessions: Sessions }) {
  const { resource, reload, all, others } = sessions;
  const heading = useRef<HTMLHeadingElement>(null);
  const [asking, setAsking] = useState(false);

  const settle = (message: string) => {
    toast(message);
    // The focused button no longer exists, so the focus moves to the heading once the dialog has closed.
    requestAnimationFrame(() => heading.current?.focus());
  };

  const end = useAction(async (ended: ListedSession) => {
    await sessions.end(ended);
    if (!ended.current) settle(t('security.sessionEnded'));
  });

  const endOthers = useAction(async () => {
    await sessions.endOthers();
    setAsking(false);
    settle(t('security.othersEnded'));
  });

  const ask = (now: boolean) => {
    endOthers.forget();
    setAsking(now);
  };

  return (
    <SettingsSection
      id="sessions"
      title={t('security.sessionsTitle')}
      lead={t('security.sessionsLead')}
      headingRef={heading}
      action={
        others.length > 0 && <Button onClick={() => ask(true)}>{t('security.signOutEverywhere')}</Button>
      }
    >
      <ErrorNotice error={end.error} />
      {resource.status === 'loading' && <Skeleton rows={2} label={t('security.sessionsLoading')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {all.length > 0 && (
        <ul class="list">
          {all.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void end.run(session)} />
          ))}
        </ul>
      )}
      {asking && <EndOthersDialog count={others.length} action={endOthers} onClose={() => ask(false)} />}
    </SettingsSection>
  );
}
