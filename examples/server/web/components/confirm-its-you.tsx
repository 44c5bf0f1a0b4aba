import { type Account, passkeyObstacle, type StepUpAnswer } from 'latchkey/client';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './notice.tsx';
import { PasswordField, UsernameForPasswordManagers } from './password-field.tsx';

const passkeyWords: Record<string, Explanation> = {
  ceremony_canceled: {
    tone: 'info',
    title: 'Not confirmed yet',
    body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
  },
};

const passwordWords: Record<string, Explanation> = {
  authentication_failed: {
    tone: 'danger',
    title: 'Wrong password',
    body: 'Check your password, then try again.',
  },
};

interface ConfirmItsYouProps {
  user: Account;
  answer: (answer: StepUpAnswer) => void;
}

/**
 * Asks the user to confirm their identity with a passkey, or with the password if no passkey works here. Stays open until
 * the user confirms or cancels.
 */
export function ConfirmItsYou({ user, answer }: ConfirmItsYouProps) {
  const hasPasskey = user.passkeyCount > 0 && passkeyObstacle() === null;
  const [usesPassword, setUsesPassword] = useState(!hasPasskey && user.hasPassword);
  const [password, setPassword] = useState('');
  const form = useId();
  const confirm = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);

  const stepUp = useAction(async () => {
    try {
      await auth.stepUp(usesPassword ? { password } : {});
    } catch (error) {
      input.current?.select();
      throw error;
    }
    answer('done');
  });

  useLayoutEffect(() => (usesPassword ? input : confirm).current?.focus(), [usesPassword]);

  const change = () => {
    stepUp.forget();
    setUsesPassword(!usesPassword);
  };

  return (
    <Dialog
      title="Confirm it’s you"
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          {usesPassword ? (
            <Button type="submit" form={form} variant="primary" busy={stepUp.busy}>
              Confirm
            </Button>
          ) : (
            <Button ref={confirm} variant="primary" busy={stepUp.busy} onClick={() => void stepUp.run()}>
              Use your passkey
            </Button>
          )}
        </>
      }
    >
      <p>
        You signed in a while ago. Confirm that it’s still you. This protects your account if you leave a
        device unlocked.
      </p>
      <ErrorNotice error={stepUp.error} words={usesPassword ? passwordWords : passkeyWords} />
      {usesPassword && (
        <form
          id={form}
          onSubmit={(event) => {
            event.preventDefault();
            if (password === '') input.current?.focus();
            else void stepUp.run();
          }}
        >
          <UsernameForPasswordManagers username={user.username} />
          <PasswordField
            label="Password"
            value={password}
            onValue={setPassword}
            autocomplete="current-password"
            inputRef={input}
            sending={stepUp.busy}
          />
        </form>
      )}
      {hasPasskey && user.hasPassword && (
        <Button variant="link" onClick={change}>
          {usesPassword ? 'Use a passkey instead' : 'Use your password instead'}
        </Button>
      )}
    </Dialog>
  );
}
