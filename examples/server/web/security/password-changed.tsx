import { announce } from '../components/announcer.tsx';
import { Button } from '../components/button.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { useAction } from '../use-action.ts';
import type { Sessions } from './use-sessions.ts';

/** A new password closes the door; whoever has come in by the old one is still inside. */
export function PasswordChanged({ sessions }: { sessions: Sessions }) {
  const { others, endOthers } = sessions;
  const end = useAction(async () => {
    await endOthers();
    announce('You were signed out everywhere else.');
    document.getElementById('password')?.focus();
  });
  if (others.length === 0) return <Notice tone="info" title="Your password was changed" />;
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
        Your account is still open in{' '}
        {others.length === 1 ? '1 other place' : `${others.length} other places`}. If somebody may have known
        the old password, sign out there.
      </Notice>
      <ErrorNotice error={end.error} />
    </>
  );
}
