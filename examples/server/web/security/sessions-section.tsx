import type { Session } from 'latchkey/client';
import { useRef } from 'preact/hooks';
import { announce } from '../components/announcer.tsx';
import { Button } from '../components/button.tsx';
import { LoadFailed } from '../components/load-failed.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useAction } from '../use-action.ts';
import { SessionRow } from './session-row.tsx';
import type { Sessions } from './use-sessions.ts';

export function SessionsSection({ sessions }: { sessions: Sessions }) {
  const { resource, reload, all, others } = sessions;
  const heading = useRef<HTMLHeadingElement>(null);

  const settle = (message: string) => {
    announce(message);
    // The focused button no longer exists, so the focus moves to the heading.
    heading.current?.focus();
  };

  const end = useAction(async (ended: Session) => {
    await sessions.end(ended);
    if (!ended.current) settle('The session was ended.');
  });

  const endOthers = useAction(async () => {
    await sessions.endOthers();
    settle('All your other sessions were ended.');
  });

  return (
    <section class="section" aria-labelledby="sessions">
      <div class="section__head">
        <div>
          <h2 id="sessions" tabIndex={-1} ref={heading}>
            Sessions
          </h2>
          <p class="section__lead">
            You’re signed in on these devices. If you don’t recognize a session, end it and check your
            passkeys.
          </p>
        </div>
        {others.length > 0 && (
          <Button busy={endOthers.busy} onClick={() => void endOthers.run()}>
            End all other sessions
          </Button>
        )}
      </div>
      <ErrorNotice error={end.error ?? endOthers.error} />
      {resource.status === 'loading' && <Skeleton rows={2} label="Loading your sessions" />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {all.length > 0 && (
        <ul class="list">
          {all.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void end.run(session)} />
          ))}
        </ul>
      )}
    </section>
  );
}
