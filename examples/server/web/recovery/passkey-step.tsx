import type { Account, Session } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { CancelRecovery } from './cancel-recovery.tsx';
import { showCodes } from './codes-dialog.tsx';
import { type KeptWays, namesOf } from './kept-ways.ts';
import { recoveryObstacle } from './obstacle-words.ts';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  passkey_exists: {
    tone: 'info',
    title: 'This device already has a passkey for your account',
    body: 'It may still work. Cancel, then sign in with it. Or make the new one on your phone or a security key.',
  },
  ceremony_canceled: {
    tone: 'info',
    title: 'No passkey was made yet',
    body: 'The passkey prompt was closed or timed out. Try again, here or with your phone or a security key.',
  },
  authentication_failed: {
    tone: 'danger',
    title: 'This recovery has ended',
    body: 'It was canceled, or the account has changed. Start again with another code or link.',
  },
  invalid_request: {
    tone: 'warning',
    title: 'Your passkeys have changed',
    body: 'Go back and choose again what to keep.',
  },
  registration_failed: {
    tone: 'danger',
    title: 'The passkey wasn’t added',
    body: 'It couldn’t be verified. Try again. If your device saved the passkey, delete it there.',
  },
};

interface PasskeyStepProps {
  user: Account;
  session: Session;
  kept: KeptWays;
  /** Goes back to the question; null if there was no question. */
  onBack: (() => void) | null;
}

/** Step 3: the new passkey completes the recovery. The answer holds the new recovery codes, shown once. */
export function PasskeyStep({ user, session, kept, onBack }: PasskeyStepProps) {
  const { route } = useLocation();
  const { refresh } = useAccount();
  const obstacle = recoveryObstacle();
  const isNew = onBack === null;
  const complete = useAction(async () => {
    const { recoveryCodes } = await auth.recovery.complete({
      keepPasskeys: kept.keptPasskeys.map(({ id }) => id),
      keepPassword: kept.keepsPassword === true,
    });
    const saved = showCodes(recoveryCodes, user.username);
    // A reload from here on shows the step that says that codes exist.
    route('/recover?completed', true);
    await Promise.all([saved, refresh()]);
    route(isNew ? '/' : '/?recovered', true);
  });

  return (
    <>
      {isNew ? (
        <StepHeading step={2} of={3} title="Make your first passkey" />
      ) : (
        <StepHeading step={3} title="Make a new passkey" />
      )}
      {isNew ? <NewLead user={user} /> : <Consequences kept={kept} />}
      {obstacle && (
        <Notice tone={obstacle.tone} title={obstacle.title}>
          {obstacle.body}
        </Notice>
      )}
      <ErrorNotice error={complete.error} words={words} />
      <div class="form form--close">
        {!obstacle && (
          <Button variant="primary" wide busy={complete.busy} onClick={() => void complete.run()}>
            Make a passkey
          </Button>
        )}
        {onBack && (
          <Button wide onClick={onBack}>
            Change what you keep
          </Button>
        )}
      </div>
      <CancelRecovery session={session} />
    </>
  );
}

const NewLead = ({ user }: { user: Account }) => (
  <p class="entrance__lead">
    Hello, <strong>{user.displayName ?? user.username}</strong>. A passkey signs you in with your fingerprint,
    face or screen lock. You don’t need a password. You get recovery codes with it.
  </p>
);

/** Lists what completing the recovery keeps, removes and replaces. */
function Consequences({ kept: { keptPasskeys, removedPasskeys, keepsPassword } }: { kept: KeptWays }) {
  const keptNames = namesOf(keptPasskeys, keepsPassword === true);
  const removedNames = namesOf(removedPasskeys, keepsPassword === false);
  return (
    <>
      <p class="entrance__lead">The new passkey recovers your account. At the same time:</p>
      <dl class="facts">
        <div class="facts__row facts__row--short">
          <dt>Kept</dt>
          <dd>{keptNames || 'Nothing'}</dd>
        </div>
        <div class="facts__row facts__row--short">
          <dt>Removed</dt>
          <dd>{removedNames || 'Nothing'}</dd>
        </div>
        <div class="facts__row facts__row--short">
          <dt>Signed out</dt>
          <dd>All devices</dd>
        </div>
        <div class="facts__row facts__row--short">
          <dt>Recovery codes</dt>
          <dd>Replaced by new ones</dd>
        </div>
      </dl>
    </>
  );
}
