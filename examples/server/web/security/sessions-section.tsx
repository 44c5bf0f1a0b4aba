import type { Session } from 'latchkey/client';
import { useCallback, useRef } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { announce } from '../components/announcer.tsx';
import { Button } from '../components/button.tsx';
import { LoadFailed } from '../components/load-failed.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { codeOf } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { useResource } from '../use-resource.ts';
import { SessionRow } from './session-row.tsx';

export function SessionsSection() {
  const { signOut } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  const { resource, reload, update } = useResource(useCallback(listSessions, []));
  const sessions = resource.status === 'ready' ? resource.value : [];
  const others = sessions.filter(({ current }) => !current);

  const keep = (wanted: (session: Session) => boolean, message: string) => {
    update((known) => known.filter(wanted));
    announce(message);
    // The button that had the focus is gone with its row.
    heading.current?.focus();
  };

  const end = useAction(async (ended: Session) => {
    if (ended.current) return signOut();
    try {
      await auth.sessions.end(ended.id);
    } catch (error) {
      // Ended meanwhile: what was wanted has come about.
      if (codeOf(error) !== 'not_found') throw error;
    }
    keep(({ id }) => id !== ended.id, 'That device was signed out.');
  });

  const endOthers = useAction(async () => {
    await auth.sessions.endOthers();
    keep(({ current }) => current, 'You were signed out everywhere else.');
  });

  return (
    <section class="section" aria-labelledby="sessions">
      <div class="section__head">
        <div>
          <h2 id="sessions" tabIndex={-1} ref={heading}>
            Where you’re signed in
          </h2>
          <p class="section__lead">
            If you don’t recognise one of these, sign it out and check your passkeys.
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
      {sessions.length > 0 && (
        <ul class="list">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void end.run(session)} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** This browser's first, then by when each was last seen. */
async function listSessions(): Promise<Session[]> {
  const sessions = await auth.sessions.list();
  const rank = ({ current, lastSeenAt }: Session) =>
    current ? Number.POSITIVE_INFINITY : Date.parse(lastSeenAt);
  return [...sessions].sort((one, other) => rank(other) - rank(one));
}
