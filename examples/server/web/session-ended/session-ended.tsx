import type { Account } from 'latchkey/client';
import { passkeyObstacle } from 'latchkey/client';
import { UserRoundKey } from 'lucide-static';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PasswordField, UsernameForPasswordManagers } from '../components/password-field.tsx';
import { accountDisabled } from '../entrance/account-disabled.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { announceServerBack } from '../server-away.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

/**
 * Asks the user to sign in again if the session has ended while a form contains typed text. The page stays open, but
 * hidden, because someone else can be using the device now.
 */
export function SessionEnded() {
  const { state, hasEnded } = useAccount();
  return hasEnded && state.status === 'signed-in' ? <SignInAgain user={state.user} /> : null;
}

function SignInAgain({ user }: { user: Account }) {
  const { refresh, leave } = useAccount();
  const form = useId();
  const main = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const usesPassword = user.passkeyCount === 0 && user.hasPassword;
  const canUsePasskey = !usesPassword && passkeyObstacle() === null;

  const signIn = useAction(async () => {
    const { username } = user;
    try {
      await (usesPassword ? auth.signInWithPassword({ username, password }) : auth.signIn({ username }));
    } catch (error) {
      input.current?.select();
      throw error;
    }
    await refresh();
    // Retries the requests of the page that failed meanwhile.
    announceServerBack();
  });

  useEffect(() => (usesPassword ? input : main).current?.focus(), [usesPassword]);

  return (
    <Dialog
      isStepUp
      isOpaque
      title={t('layout.sessionEnded')}
      subject={<Avatar name={user.displayName ?? user.username} seed={user.username} size="large" />}
      lead={<bdi>{user.username}</bdi>}
      // Escape must not discard what the user typed.
      onClose={() => {}}
      actions={
        <>
          <Button onClick={leave}>{t('layout.sessionEndedLeave')}</Button>
          {usesPassword && (
            <Button type="submit" form={form} variant="primary" busy={signIn.busy}>
              {t('layout.signIn')}
            </Button>
          )}
          {canUsePasskey && (
            <Button ref={main} variant="primary" busy={signIn.busy} onClick={() => void signIn.run()}>
              {!signIn.busy && <Icon of={UserRoundKey} />}
              {t('layout.signInWithPasskey')}
            </Button>
          )}
        </>
      }
    >
      <p>{t('layout.sessionEndedTyped')}</p>
      <ErrorNotice error={signIn.error} words={{ account_disabled: accountDisabled }} />
      {usesPassword && (
        <form
          id={form}
          onSubmit={(event) => {
            event.preventDefault();
            void signIn.run();
          }}
        >
          <UsernameForPasswordManagers username={user.username} />
          <PasswordField
            label={t('layout.password')}
            value={password}
            onValue={setPassword}
            inputRef={input}
            autocomplete="current-password"
            sending={signIn.busy}
          />
        </form>
      )}
      <p>{t('layout.sessionEndedLeaveNote')}</p>
    </Dialog>
  );
}
