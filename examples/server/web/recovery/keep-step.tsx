import type { Account, Passkey, Session } from 'latchkey/client';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useResource } from '../use-resource.ts';
import { CancelRecovery } from './cancel-recovery.tsx';
import { KeepChoice, PasskeyFacts } from './keep-choice.tsx';
import { consequenceOf, type KeptWays } from './kept-ways.ts';
import { StepHeading } from './step-heading.tsx';

interface KeepStepProps {
  user: Account;
  session: Session;
  /** The user's earlier choice, if the user came back from step 3. */
  answered: KeptWays | null;
  onAnswer: (kept: KeptWays) => void;
}

/** Step 2: the user chooses which passkeys to keep and whether to keep the password. */
export function KeepStep({ user, session, answered, onAnswer }: KeepStepProps) {
  const { resource, reload } = useResource(useCallback(() => auth.passkeys.list(), []));
  return (
    <>
      <StepHeading step={2} title={t('recovery.keepTitle')} />
      <p class="entrance__lead">
        <T
          id="recovery.keepLead"
          values={{
            name: (
              <strong>
                <bdi>{user.displayName ?? user.username}</bdi>
              </strong>
            ),
            strong: (words) => <strong>{words}</strong>,
          }}
        />
      </p>
      {resource.status === 'loading' && <Skeleton rows={2} label={t('recovery.loadingPasskeys')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {resource.status === 'ready' && (
        <KeepForm
          passkeys={resource.value}
          hasPassword={user.hasPassword}
          answered={answered}
          onAnswer={onAnswer}
        />
      )}
      <CancelRecovery session={session} />
    </>
  );
}

interface KeepFormProps {
  passkeys: Passkey[];
  hasPassword: boolean;
  answered: KeptWays | null;
  onAnswer: (kept: KeptWays) => void;
}

function KeepForm({ passkeys, hasPassword, answered, onAnswer }: KeepFormProps) {
  const [ticked, setTicked] = useState(() => new Set(answered?.keptPasskeys.map(({ id }) => id)));
  const [password, setPassword] = useState(answered?.keepsPassword === true);
  const kept: KeptWays = {
    keptPasskeys: passkeys.filter(({ id }) => ticked.has(id)),
    removedPasskeys: passkeys.filter(({ id }) => !ticked.has(id)),
    keepsPassword: hasPassword ? password : null,
  };

  const tick = (id: string, isTicked: boolean) =>
    setTicked((before) => new Set(isTicked ? [...before, id] : [...before].filter((other) => other !== id)));

  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(kept);
      }}
    >
      <fieldset class="keep">
        <legend class="visually-hidden">{t('recovery.signInMethods')}</legend>
        {passkeys.map((passkey) => (
          <KeepChoice
            key={passkey.id}
            checked={ticked.has(passkey.id)}
            onCheck={(isTicked) => tick(passkey.id, isTicked)}
            title={<bdi>{passkey.label}</bdi>}
          >
            <PasskeyFacts passkey={passkey} />
          </KeepChoice>
        ))}
        {hasPassword && (
          <KeepChoice checked={password} onCheck={setPassword} title={t('recovery.password')}>
            <span>{t('recovery.passwordHint')}</span>
          </KeepChoice>
        )}
      </fieldset>
      <p class="keep__result" role="status">
        {consequenceOf(kept)}
      </p>
      <Button type="submit" variant="primary" wide>
        {t('recovery.continue')}
      </Button>
    </form>
  );
}
