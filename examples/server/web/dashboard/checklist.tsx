import type { Account, Passkey } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { auth } from '../auth.ts';
import { keyhole } from '../brand/mark.tsx';
import { t } from '../messages/t.tsx';
import { fewCodes } from '../recovery/codes-left.ts';
import { useResource } from '../use-resource.ts';
import { CodesStep } from './codes-step.tsx';
import { FirstPasskeyStep, SecondPasskeyStep } from './passkey-steps.tsx';
import { ProgressRing } from './progress-ring.tsx';

const none: Passkey[] = [];

interface ChecklistProps {
  user: Account;
  /** Whether the user can do the steps. False during an impersonation. */
  canAct: boolean;
}

/**
 * The steps that protect the account if the user loses a device. The user can do each step here. Steps that are not
 * done come first.
 */
export function Checklist({ user, canAct }: ChecklistProps) {
  const { resource, reload, update } = useResource(useCallback(() => auth.passkeys.list(), []));
  const passkeys = resource.status === 'ready' ? resource.value : none;
  // Until the list of passkeys has loaded, uses the count in the account.
  const count = resource.status === 'ready' ? passkeys.length : user.passkeyCount;
  const onAdded = (added: Passkey) =>
    resource.status === 'ready' ? update((known) => [...known, added]) : void reload();
  const common = { canAct, passkeys, count };

  const steps = [
    {
      isDone: count > 0,
      step: <FirstPasskeyStep key="first" {...common} onAdded={onAdded} />,
    },
    {
      isDone: count > 1,
      step: <SecondPasskeyStep key="second" {...common} onAdded={onAdded} />,
    },
    {
      isDone: user.recoveryCodesRemaining > fewCodes,
      step: <CodesStep key="codes" user={user} canAct={canAct} isNext={count > 1} />,
    },
  ];
  const done = steps.filter(({ isDone }) => isDone);
  const open = steps.filter(({ isDone }) => !isDone);

  return (
    <section class="card card--section checklist" aria-labelledby="checklist">
      <div class="checklist__banner">
        <ProgressRing done={done.length} total={steps.length} />
        <div>
          <h2 class="checklist__title" id="checklist">
            {open.length > 0 ? t('home.stepsTitle', { count: open.length }) : t('home.protectedTitle')}
          </h2>
          <p class="checklist__lead">{t(open.length > 0 ? 'home.stepsLead' : 'home.protectedLead')}</p>
        </div>
        <svg class="checklist__mark" viewBox="4 4 22 23" aria-hidden="true">
          <path d={keyhole} />
        </svg>
      </div>
      <ul>{[...open, ...done].map(({ step }) => step)}</ul>
    </section>
  );
}
