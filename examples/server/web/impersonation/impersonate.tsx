import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

const words = (): Record<string, Explanation> => ({
  authentication_failed: {
    tone: 'danger',
    title: t('invitation.impersonationDead'),
    body: t('invitation.impersonationDeadBody'),
  },
});

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
      <PageHeading title={t('invitation.impersonate')} />
      <p class="entrance__lead">{t('invitation.impersonateLead')}</p>
      {state.status === 'signed-in' && !isDead && (
        <p>
          <T
            id="invitation.impersonateReplaces"
            values={{ username: <strong dir="auto">{state.user.username}</strong> }}
          />
        </p>
      )}
      <ErrorNotice error={start.error} words={words()} />
      {!isDead && (
        <Button variant="primary" wide busy={start.busy} onClick={() => void start.run()}>
          {t('invitation.impersonateSubmit')}
        </Button>
      )}
    </>
  );
}
