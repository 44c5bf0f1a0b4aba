import { useEffect } from 'preact/hooks';
import { announce } from '../components/announcer.tsx';
import { Button } from '../components/button.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { useAction } from '../use-action.ts';
import type { Sessions } from './use-sessions.ts';

const whereElse = (others: number) => {
  // Not known yet, or not to be had.
  if (others === 0) return 'may still be open elsewhere';
  return `is still open in ${others === 1 ? '1 other place' : `${others} other places`}`;
};

/** A new password closes the door; whoever has come in by the old one is still inside. */
export function PasswordChanged({ sessions }: { sessions: Sessions }) {
  const { others, endOthers, resource, reload } = sessions;
  const end = useAction(async () => {
    await endOthers();
    announce('You were signed out everywhere else.');
    document.getElementById('password')?.focus();
  });
  // Who has come in since the page was opened counts, too.
  useEffect(() => void reload(), [reload]);
  const isAlone = resource.status === 'ready' && others.length === 0;
  if (isAlone) return <Notice tone="info" title="Your password was changed" />;
  return (
    <>
      <Notice
        tone="info"
        title="Your password was changed"
        action={
          <Button busy={end.busy} onClick={() => void end.run()}>
            Sign out everywhere else
          </Button>
        }
      >
        Your account {whereElse(others.length)}. If somebody may have known the old password, sign out there.
      </Notice>
      <ErrorNotice error={end.error} />
    </>
  );
}
