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
    // The focused button is gone with its row.
    heading.current?.focus();
  };

  const end = useAction(async (ended: Session) => {
    await sessions.end(ended);
    if (!ended.current) settle('That device was signed out.');
  });

  const endOthers = useAction(async () => {
    await sessions.endOthers();
    settle('You were signed out everywhere else.');
  });

  return (
    <section class="section" aria-labelledby="sessions">
      <div class="section__head">
        <div>
          <h2 id="sessions" tabIndex={-1} ref={heading}>
            Where you’re signed in
          </h2>
          <p class="section__lead">
            If you don’t recognize one of these, sign it out and check your passkeys.
          </p>
        </div>
        {others.length > 0 && (
          <Button busy={endOthers.busy} onClick={() => void endOthers.run()}>
            Sign out everywhere else
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
