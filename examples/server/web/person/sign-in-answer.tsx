import type { UserRecord } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { formatMoment } from '../dates.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { UserAction } from '../users/user-actions.ts';
import { reasonOf, type SignInState } from './sign-in-state.ts';
import type { PersonEvents } from './use-person-events.ts';

interface SignInAnswerProps {
  record: UserRecord;
  state: SignInState;
  events: PersonEvents | null;
  /** The actions that the signed-in user can take. */
  actions: readonly UserAction[];
  onChoose: (action: UserAction) => void;
}

/** Says why a user cannot sign in, and what to do. Renders nothing if the user can. */
export function SignInAnswer({ record, state, events, actions, onChoose }: SignInAnswerProps) {
  const { user, details } = record;
  const name = user.username;
  const offer = (action: UserAction, label: string): ComponentChildren =>
    actions.includes(action) && <Button onClick={() => onChoose(action)}>{label}</Button>;

  switch (state.kind) {
    case 'disabled':
      return (
        <Notice
          tone="warning"
          title={t('person.disabledTitle', { name })}
          action={offer('enable', t('users.enable'))}
        >
          <Disabled reason={user.disabledReason} disabling={events?.disabling ?? null} />
        </Notice>
      );
    case 'recovering':
      return (
        <Notice
          tone="info"
          title={t('person.recoveringTitle', { name })}
          action={offer('recovery', t('person.newLink'))}
        >
          {t('person.recovering', { time: formatMoment(state.since) })}
        </Notice>
      );
    case 'no_way_in':
      return (
        <Notice
          tone="warning"
          title={t('person.noWayInTitle', { name })}
          action={offer('recovery', t('users.recovery'))}
        >
          {t(details?.recoveryLink ? 'person.noWayInLink' : 'person.noWayIn')}
        </Notice>
      );
    case 'only_codes':
      return (
        <Notice
          tone="warning"
          title={t('person.onlyCodesTitle', { name })}
          action={offer('recovery', t('users.recovery'))}
        >
          {t('person.onlyCodes', { count: details?.recoveryCodesRemaining ?? 0 })}
        </Notice>
      );
    case 'refused':
      return (
        <Notice tone="warning" title={t('person.refusedTitle')}>
          {t('person.refused', {
            reason: reasonOf(state.event),
            time: formatMoment(state.event.at),
            count: state.event.count,
          })}
        </Notice>
      );
    default:
      return null;
  }
}

interface DisabledProps {
  reason: string | null;
  disabling: PersonEvents['disabling'];
}

/** The reason, and who disabled the user and when. Leaves out what the signed-in user cannot read. */
function Disabled({ reason, disabling }: DisabledProps) {
  return (
    <>
      {disabling && (
        <T
          id="person.disabledBy"
          values={{
            kind: disabling.actor.type,
            name: <bdi>{disabling.actor.name ?? ''}</bdi>,
            hasName: disabling.actor.name === null ? 'no' : 'yes',
            time: <time dateTime={disabling.at}>{formatMoment(disabling.at)}</time>,
          }}
        />
      )}{' '}
      {reason !== null && <T id="person.disabledReason" values={{ reason: <bdi>{reason}</bdi> }} />}{' '}
      {t('person.disabledEffect')}
    </>
  );
}
