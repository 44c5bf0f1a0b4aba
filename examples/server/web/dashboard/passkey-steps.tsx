import { type Passkey, passkeyObstacle } from 'latchkey/client';
import { Plus } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PasskeyObstacleNotice } from '../components/passkey-obstacle-notice.tsx';
import type { Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { hidden } from '../ui/hidden.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { Step } from './step.tsx';

interface PasskeyStepProps {
  passkeys: readonly Passkey[];
  count: number;
  canAct: boolean;
  onAdded: (added: Passkey) => void;
}

export const FirstPasskeyStep = ({ passkeys, count, canAct, onAdded }: PasskeyStepProps) =>
  count > 0 ? (
    <Step done title={t('home.firstPasskeyDone')} action={canAct && <Manage />}>
      {passkeys.slice(0, 1).map(nameOf)}
    </Step>
  ) : (
    <OpenStep canAct={canAct} title={t('home.addPasskeyTitle')} onAdded={onAdded}>
      {t('home.addPasskeyBody')}
    </OpenStep>
  );

export function SecondPasskeyStep({ passkeys, count, canAct, onAdded }: PasskeyStepProps) {
  if (count > 1) {
    return (
      <Step done title={t('home.addSecondTitle')}>
        {count > 2 ? t('home.secondPasskeyDone', { count: count - 1 }) : passkeys.slice(1, 2).map(nameOf)}
      </Step>
    );
  }
  // Only the next step has a button, so that the page has one primary button.
  if (count === 0)
    return (
      <Step done={false} title={t('home.addSecondTitle')}>
        {t('home.addSecondBody')}
      </Step>
    );
  return (
    <OpenStep canAct={canAct} title={t('home.addSecondTitle')} onAdded={onAdded}>
      {t('home.addSecondBody')}
    </OpenStep>
  );
}

interface OpenStepProps {
  title: string;
  canAct: boolean;
  onAdded: (added: Passkey) => void;
  children: ComponentChildren;
}

/** A step that is not done. Its button opens the passkey prompt. */
function OpenStep({ title, canAct, onAdded, children }: OpenStepProps) {
  const { refresh } = useAccount();
  const add = useAction(async () => {
    onAdded(await auth.passkeys.add());
    toast(t('home.passkeyAdded'));
    void refresh();
  });
  const obstacle = passkeyObstacle();
  return (
    <Step
      done={false}
      title={title}
      action={
        canAct &&
        !obstacle && (
          <Button variant="primary" icon={Plus} busy={add.busy} onClick={() => void add.run()}>
            {t('home.addPasskey')}
          </Button>
        )
      }
      notice={
        obstacle ? (
          <PasskeyObstacleNotice />
        ) : (
          add.error !== null && <ErrorNotice error={add.error} words={words()} />
        )
      }
    >
      {children}
    </Step>
  );
}

const Manage = () => (
  <a class="card__link" href="/settings/security">
    <T id="home.managePasskeys" values={{ hidden }} />
  </a>
);

/** "MacBook Pro, in iCloud Keychain", or only the label if the label is the name of the provider. */
const nameOf = ({ id, label, provider }: Passkey) => (
  <span key={id}>
    {provider && provider !== label ? (
      <T
        id="home.passkeyWithProvider"
        values={{ label: <bdi>{label}</bdi>, provider: <bdi>{provider}</bdi> }}
      />
    ) : (
      <bdi>{label}</bdi>
    )}
  </span>
);

const words = (): Record<string, Explanation> => ({
  passkey_exists: {
    tone: 'info',
    title: t('home.passkeyExistsTitle'),
    body: t('home.passkeyExistsBody'),
  },
  ceremony_canceled: {
    tone: 'info',
    title: t('home.passkeyCanceledTitle'),
    body: t('home.passkeyCanceledBody'),
  },
  registration_failed: {
    tone: 'danger',
    title: t('home.passkeyFailedTitle'),
    body: t('home.passkeyFailedBody'),
  },
});
