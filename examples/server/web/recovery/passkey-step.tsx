import type { Account, Session } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
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
    body: 'Cancel the recovery, then try to sign in with that passkey. Or add the new passkey on your phone or on a security key.',
  },
  ceremony_canceled: {
    tone: 'info',
    title: 'No passkey was added yet',
    body: 'The passkey prompt was closed or timed out. Try again on this device, your phone or a security key.',
  },
  authentication_failed: {
    tone: 'danger',
    title: 'This recovery has ended',
    body: 'The recovery was canceled, or the account has changed. Start again with another recovery code or recovery link.',
  },
  invalid_request: {
    tone: 'warning',
    title: 'Your passkeys have changed',
    body: 'Go back and choose again what to keep.',
  },
  registration_failed: {
    tone: 'danger',
    title: 'The passkey wasn’t added',
    body: 'The service couldn’t verify the passkey. Try again. If your device saved the passkey, delete it there.',
  },
};

interface PasskeyStepProps {
  user: Account;
  session: Session;
  kept: KeptWays;
  /** Goes back to the choice of what to keep. Null for a new account, which has no passkey or password to keep. */
  onBack: (() => void) | null;
}

/**
 * Step 3, or step 2 for a new account: the new passkey completes the recovery. The response contains the new recovery
 * codes, which are shown only once.
 */
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
    // From here on, a reload shows step 4.
    route('/recover?completed', true);
    await Promise.all([saved, refresh()]);
    route(isNew ? '/' : '/?recovered', true);
  });

  return (
    <>
      {isNew ? (
        <StepHeading step={2} of={3} title="Add your first passkey" />
      ) : (
        <StepHeading step={3} title="Add a new passkey" />
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
            Add passkey
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
    face or screen lock. You don’t need a password. After this step, you get recovery codes.
  </p>
);

/** Lists what the recovery keeps, removes and replaces. */
function Consequences({ kept: { keptPasskeys, removedPasskeys, keepsPassword } }: { kept: KeptWays }) {
  const keptNames = namesOf(keptPasskeys, keepsPassword === true);
  const removedNames = namesOf(removedPasskeys, keepsPassword === false);
  return (
    <>
      <p class="entrance__lead">When you add the new passkey, your account is recovered as follows:</p>
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
          <dt>Ended</dt>
          <dd>All sessions</dd>
        </div>
        <div class="facts__row facts__row--short">
          <dt>Recovery codes</dt>
          <dd>Replaced by new ones</dd>
        </div>
      </dl>
    </>
  );
}
