import type { Account, Session } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { type Explanation, explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { CancelRecovery } from './cancel-recovery.tsx';
import { showCodes } from './codes-dialog.tsx';
import { type KeptWays, namesOf } from './kept-ways.ts';
import { recoveryObstacle } from './obstacle-words.ts';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  passkey_exists: explanation('info', 'recovery.passkeyExistsTitle', 'recovery.passkeyExistsBody'),
  ceremony_canceled: explanation('info', 'recovery.notAddedYetTitle', 'recovery.notAddedYetBody'),
  authentication_failed: explanation('danger', 'recovery.endedTitle', 'recovery.endedBody'),
  invalid_request: explanation('warning', 'recovery.changedTitle', 'recovery.changedBody'),
  registration_failed: explanation('danger', 'recovery.notAddedTitle', 'recovery.notAddedBody'),
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
        <StepHeading step={2} of={3} title={t('recovery.firstPasskeyTitle')} />
      ) : (
        <StepHeading step={3} title={t('recovery.newPasskeyTitle')} />
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
            {t('common.addPasskey')}
          </Button>
        )}
        {onBack && (
          <Button wide onClick={onBack}>
            {t('recovery.changeKept')}
          </Button>
        )}
      </div>
      <CancelRecovery session={session} />
    </>
  );
}

const NewLead = ({ user }: { user: Account }) => (
  <p class="entrance__lead">
    <T
      id="recovery.newLead"
      values={{
        name: (
          <strong>
            <bdi>{user.displayName ?? user.username}</bdi>
          </strong>
        ),
      }}
    />
  </p>
);

/** Lists what the recovery keeps, removes and replaces. */
function Consequences({ kept: { keptPasskeys, removedPasskeys, keepsPassword } }: { kept: KeptWays }) {
  const keptNames = namesOf(keptPasskeys, keepsPassword === true);
  const removedNames = namesOf(removedPasskeys, keepsPassword === false);
  return (
    <>
      <p class="entrance__lead">{t('recovery.consequencesLead')}</p>
      <dl class="facts">
        <div class="facts__row facts__row--short">
          <dt>{t('recovery.kept')}</dt>
          <dd>{keptNames || t('recovery.nothing')}</dd>
        </div>
        <div class="facts__row facts__row--short">
          <dt>{t('recovery.removed')}</dt>
          <dd>{removedNames || t('recovery.nothing')}</dd>
        </div>
        <div class="facts__row facts__row--short">
          <dt>{t('recovery.ended')}</dt>
          <dd>{t('recovery.allSessions')}</dd>
        </div>
        <div class="facts__row facts__row--short">
          <dt>{t('recovery.codes')}</dt>
          <dd>{t('recovery.codesReplaced')}</dd>
        </div>
      </dl>
    </>
  );
}
