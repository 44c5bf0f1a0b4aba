import { type Account, passkeyObstacle, type StepUpAnswer, type StepUpReason } from 'latchkey/client';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { PasskeyObstacleNotice } from './passkey-obstacle-notice.tsx';
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
  reason: StepUpReason;
  answer: (answer: StepUpAnswer) => void;
}

/**
 * Asks the user to confirm their identity: with the passkey, or with the password if the user has no passkey. Stays open
 * until the user confirms or cancels.
 */
export function ConfirmItsYou({ user, reason, answer }: ConfirmItsYouProps) {
  const needsFirstPasskey = user.passkeyCount === 0 && reason === 'passkey_required';
  const usesPassword = user.passkeyCount === 0 && user.hasPassword;
  const obstacle = !usesPassword && passkeyObstacle();
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

  if (needsFirstPasskey) return <AddPasskeyFirst onClose={() => answer(false)} />;
  return (
    <Dialog
      isStepUp
      title="Confirm it’s you"
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          {usesPassword && (
            <Button type="submit" form={form} variant="primary" busy={stepUp.busy}>
              Confirm
            </Button>
          )}
          {!usesPassword && !obstacle && (
            <Button ref={confirm} variant="primary" busy={stepUp.busy} onClick={() => void stepUp.run()}>
              Use your passkey
            </Button>
          )}
        </>
      }
    >
      {reason === 'passkey_required' ? <NeedsPasskey /> : <SignedInAWhileAgo />}
      {obstacle && <PasskeyObstacleNotice />}
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
    </Dialog>
  );
}

const SignedInAWhileAgo = () => (
  <p>
    You signed in a while ago. Confirm that it’s still you. This protects your account if you leave a device
    unlocked.
  </p>
);

const NeedsPasskey = () => (
  <p>
    You signed in with your password. This action needs your passkey, because a password can be stolen. If you
    lost your passkey, <a href="/recover">recover your account</a>.
  </p>
);

/** Shown if the service accepts only passkeys for the action, and the user has none. */
const AddPasskeyFirst = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    isStepUp
    title="Add a passkey first"
    onClose={onClose}
    actions={
      <>
        <Button onClick={onClose}>Cancel</Button>
        <a class="button button--primary" href="/settings/security" onClick={onClose}>
          Go to Security
        </a>
      </>
    }
  >
    <p>This action needs a passkey, and your account has none yet. Add a passkey on the Security page.</p>
  </Dialog>
);
