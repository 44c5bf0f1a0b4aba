import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  authentication_failed: {
    tone: 'danger',
    title: 'This link no longer works',
    body: 'It was used or replaced, or it has expired. A link works once, for five minutes. Create a new link.',
  },
};

/** The page of an operator's link. Only the button uses the link. A link scanner that opens the page does not use it. */
export function Impersonate({ token, onForget }: { token: string; onForget: () => void }) {
  const { state, refresh } = useAccount();
  const { route } = useLocation();
  const start = useAction(async () => {
    await auth.impersonation.useLink(token);
    onForget();
    await refresh();
    route('/', true);
  });
  const isDead = codeOf(start.error) === 'authentication_failed';
  return (
    <>
      <PageHeading title="Use the account of a user" />
      <p class="entrance__lead">
        You see what the user sees. You can’t change the account. The user can see and end this session, and
        the activity shows your name. The session ends after an hour.
      </p>
      {state.status === 'signed-in' && !isDead && (
        <p>
          You’re signed in here as <strong>{state.user.username}</strong>. If you continue, this session ends.
        </p>
      )}
      <ErrorNotice error={start.error} words={words} />
      {!isDead && (
        <Button variant="primary" wide busy={start.busy} onClick={() => void start.run()}>
          Use account
        </Button>
      )}
    </>
  );
}
