import type { Session } from 'latchkey/client';
import { useRef, useState } from 'preact/hooks';
import { LoadFailed } from '../components/load-failed.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
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

  const end = useAction(async (ended: Session) => {
    await sessions.end(ended);
    if (!ended.current) settle('The session was ended');
  });

  const endOthers = useAction(async () => {
    await sessions.endOthers();
    setAsking(false);
    settle('All your other sessions were ended');
  });

  const ask = (now: boolean) => {
    endOthers.forget();
    setAsking(now);
  };

  return (
    <SettingsSection
      id="sessions"
      title="Sessions"
      lead="If you don’t recognize a session, end it and check your passkeys."
      headingRef={heading}
      action={others.length > 0 && <Button onClick={() => ask(true)}>Sign out everywhere else</Button>}
    >
      <ErrorNotice error={end.error} />
      {resource.status === 'loading' && <Skeleton rows={2} label="Loading your sessions" />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {all.length > 0 && (
        <ul class="list">
          {all.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void end.run(session)} />
          ))}
        </ul>
      )}
      {asking && (
        <ConfirmDialog
          title="Sign out everywhere else?"
          confirm="Sign out everywhere else"
          asksForPasskey={false}
          action={endOthers}
          onClose={() => ask(false)}
        >
          <Consequences
            of={[
              {
                kind: 'ends',
                text: (
                  <>
                    <strong>
                      {others.length === 1 ? '1 session ends' : `${others.length} sessions end`}
                    </strong>{' '}
                    immediately, on all your other devices.
                  </>
                ),
              },
              {
                kind: 'stays',
                text: (
                  <>
                    <strong>You stay signed in</strong> in this browser. Your passkeys keep working
                    everywhere.
                  </>
                ),
              },
            ]}
          />
        </ConfirmDialog>
      )}
    </SettingsSection>
  );
}
