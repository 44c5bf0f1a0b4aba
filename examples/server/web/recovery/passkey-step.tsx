import type { Account, Session } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { recoveryObstacle } from './obstacle-words.ts';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  passkey_exists: {
    tone: 'info',
    title: 'This device already holds a passkey of your account',
    body: 'It may well work: cancel, then sign in with it. Or make the new one on your phone or a security key.',
  },
  ceremony_cancelled: {
    tone: 'info',
    title: 'No passkey was made yet',
    body: 'The passkey prompt was closed or timed out. Try again, here or with your phone or a security key.',
  },
  registration_failed: {
    tone: 'danger',
    title: 'The passkey wasn’t added',
    body: 'It couldn’t be checked. Try again; if your device kept a passkey, you can delete it there.',
  },
};

interface PasskeyStepProps {
  user: Account;
  session: Session;
  /** There has never been a way into the account. */
  isNew: boolean;
}

/** Step 2: what makes the account its owner's again. Nothing else can be done before that. */
export function PasskeyStep({ user, session, isNew }: PasskeyStepProps) {
  const { refresh, signOut } = useAccount();
  const obstacle = recoveryObstacle();
  const cancel = useAction(signOut);
  const add = useAction(async () => {
    await auth.passkeys.add();
    await refresh();
  });

  return (
    <>
      <StepHeading step={2} title={isNew ? 'Make your first passkey' : 'Make a new passkey'} />
      <p class="entrance__lead">
        Hello, <strong>{user.displayName ?? user.username}</strong>.{' '}
        {isNew ? (
          <>
            A passkey signs you in with your fingerprint, face or screen lock. There is no password to
            remember.
          </>
        ) : (
          <>
            With a new passkey the account is yours again, and you’re{' '}
            <strong>signed out everywhere else</strong>, in case somebody else was in.
          </>
        )}
      </p>
      {obstacle && (
        <Notice tone={obstacle.tone} title={obstacle.title}>
          {obstacle.body}
        </Notice>
      )}
      <ErrorNotice error={add.error ?? cancel.error} words={words} />
      <div class="form form--close">
        {!obstacle && (
          <Button variant="primary" wide busy={add.busy} onClick={() => void add.run()}>
            Make a passkey
          </Button>
        )}
        <Button wide busy={cancel.busy} onClick={() => void cancel.run()}>
          Cancel and sign out
        </Button>
        <p class="hint">
          If you cancel now, you need another{' '}
          {session.method === 'assisted_recovery' ? 'link' : 'recovery code'} to start again.
        </p>
      </div>
    </>
  );
}
