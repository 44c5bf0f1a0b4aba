import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import type { Acceptance } from './invitation-flow.tsx';

interface AcceptActionsProps {
  accept: Acceptance;
  mayAccept: boolean;
  words?: Record<string, Explanation>;
}

/** The actions of a signed-in user on the page of an invitation. */
export function AcceptActions({ accept, mayAccept, words }: AcceptActionsProps) {
  const { refresh } = useAccount();
  const leave = useAction(async () => {
    await auth.signOut();
    await refresh();
  });
  return (
    <>
      <ErrorNotice error={accept.error ?? leave.error} words={words} />
      <div class="form form--close">
        {mayAccept && (
          <Button variant="primary" wide busy={accept.busy} onClick={() => void accept.run()}>
            {t('invitation.accept')}
          </Button>
        )}
        <Button wide busy={leave.busy} onClick={() => void leave.run()}>
          {t('invitation.otherAccount')}
        </Button>
        <a class="button button--quiet button--wide" href="/">
          {mayAccept ? t('invitation.notNow') : t('invitation.toAccount')}
        </a>
      </div>
    </>
  );
}
