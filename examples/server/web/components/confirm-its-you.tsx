import { type Account, passkeyObstacle, type StepUpAnswer, type StepUpReason } from 'latchkey/client';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { type Explanation, explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { PasskeyObstacleNotice } from './passkey-obstacle-notice.tsx';
import { PasswordField, UsernameForPasswordManagers } from './password-field.tsx';

const passkeyWords: Record<string, Explanation> = {
  ceremony_canceled: explanation(
    'info',
    'entrance.stepUpNotConfirmedTitle',
    'entrance.stepUpNotConfirmedBody',
  ),
};

const passwordWords: Record<string, Explanation> = {
  authentication_failed: explanation('danger', 'entrance.wrongPasswordTitle', 'entrance.wrongPasswordBody'),
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
      await auth.stepUp({ password: usesPassword ? password : undefined, userId: user.id });
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
      title={t('entrance.stepUpTitle')}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>{t('common.cancel')}</Button>
          {usesPassword && (
            <Button type="submit" form={form} variant="primary" busy={stepUp.busy}>
              {t('entrance.stepUpConfirm')}
            </Button>
          )}
          {!usesPassword && !obstacle && (
            <Button ref={confirm} variant="primary" busy={stepUp.busy} onClick={() => void stepUp.run()}>
              {t('common.useYourPasskey')}
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
            label={t('entrance.password')}
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

const SignedInAWhileAgo = () => <p>{t('entrance.stepUpLead')}</p>;

const NeedsPasskey = () => (
  <p>
    <T id="entrance.stepUpNeedsPasskey" values={{ link: (words) => <a href="/recover">{words}</a> }} />
  </p>
);

/** Shown if the service accepts only passkeys for the action, and the user has none. */
const AddPasskeyFirst = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    isStepUp
    title={t('entrance.addPasskeyFirstTitle')}
    onClose={onClose}
    actions={
      <>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <a class="button button--primary" href="/settings/security" onClick={onClose}>
          {t('entrance.goToSecurity')}
        </a>
      </>
    }
  >
    <p>{t('entrance.addPasskeyFirstBody')}</p>
  </Dialog>
);
