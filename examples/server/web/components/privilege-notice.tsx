import { isAtLeast, passkeyObstacle } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

/**
 * Advises admins and superadmins to use a passkey. For a user without a passkey, only the password protects
 * the rights of the role. A user who has a passkey does not get these rights from a sign-in with the
 * password.
 */
export function PrivilegeNotice() {
  const { state } = useAccount();
  if (state.status !== 'signed-in') return null;
  const { user, session } = state;
  // An impersonator never gets these rights.
  if (session.impersonator) return null;
  if (!isAtLeast(user.role, 'admin')) return null;
  if (user.passkeyCount === 0) return <AddFirstPasskey />;
  return session.method === 'password' ? <UseYourPasskey /> : null;
}

function AddFirstPasskey() {
  const { refresh } = useAccount();
  const { path } = useLocation();
  // The Security page has the same button in its list of passkeys.
  const hasButton = !passkeyObstacle() && path !== '/settings/security';
  const add = useAction(async () => {
    await auth.passkeys.add();
    await refresh();
  });
  return (
    <>
      <Notice
        tone="warning"
        title={t('common.addPasskeyTitle')}
        action={
          hasButton && (
            <Button busy={add.busy} onClick={() => void add.run()}>
              {t('common.addPasskey')}
            </Button>
          )
        }
      >
        {t('common.addPasskeyBody')}
      </Notice>
      <ErrorNotice error={add.error} />
    </>
  );
}

function UseYourPasskey() {
  const { refresh } = useAccount();
  const stepUp = useAction(async () => {
    await auth.stepUp();
    await refresh();
  });
  return (
    <>
      <Notice
        tone="info"
        title={t('common.signedInWithPassword')}
        action={
          !passkeyObstacle() && (
            <Button busy={stepUp.busy} onClick={() => void stepUp.run()}>
              {t('common.useYourPasskey')}
            </Button>
          )
        }
      >
        {t('common.usePasskeyToManage')}
      </Notice>
      <ErrorNotice error={stepUp.error} />
    </>
  );
}
