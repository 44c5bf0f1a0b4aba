import type { Webhook } from 'latchkey/client';
import { KeyRound, Pause, Pencil, Play, Send, Trash2, Webhook as WebhookIcon } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { StatusDot } from '../ui/badge.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { type Column, cellClass } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { eventsText, faultName, reasonText, shownState, stateName } from './webhook-words.ts';

/** What a user can do with a webhook. `resumeAtEnd`: without the earlier events. */
export type WebhookAction = 'test' | 'pause' | 'resume' | 'resumeAtEnd' | 'change' | 'rotate' | 'delete';

export const webhookColumns = (): Column[] => [
  { name: t('webhooks.columnName') },
  { name: t('webhooks.columnState') },
  { name: t('webhooks.columnEvents'), shownFrom: 'medium' },
  { name: t('webhooks.columnLast') },
  { name: t('webhooks.columnActions'), isHidden: true },
];

interface WebhookRowProps {
  webhook: Webhook;
  onChoose: (action: WebhookAction) => void;
}

export const WebhookRow = ({ webhook, onChoose }: WebhookRowProps) => (
  <tr>
    <th scope="row" id={`webhook-${webhook.id}`} tabIndex={-1}>
      <div class="person">
        <span class="avatar avatar--person invitee__link">
          <Icon of={WebhookIcon} />
        </span>
        <div>
          <div class="person__name">
            <bdi>{webhook.name}</bdi>
          </div>
          <div class="webhook__host">{new URL(webhook.url).host}</div>
        </div>
      </div>
    </th>
    <td>
      <StatusDot state={dots[shownState(webhook)]}>{stateName(webhook)}</StatusDot>
      <Trouble webhook={webhook} />
    </td>
    <td class={cellClass('medium')}>{eventsText(webhook)}</td>
    <td>
      <LastAttempt webhook={webhook} />
    </td>
    <td class="table__menu">
      <Menu
        label={t('webhooks.actionsFor', { name: webhook.name })}
        items={itemsFor(webhook).map(({ action, ...item }) => ({ ...item, run: () => onChoose(action) }))}
      />
    </td>
  </tr>
);

const dots = { active: 'on', failing: 'waiting', paused: 'off', disabled: 'off' } as const;

/** Why the webhook does not work, or since when. */
function Trouble({ webhook }: { webhook: Webhook }) {
  const reason = reasonText(webhook);
  if (reason !== null) return <div class="webhook__trouble">{reason}</div>;
  const { state, failingSince } = webhook;
  if (state !== 'active' || failingSince === null) return null;
  return (
    <div class="webhook__trouble">
      <T id="webhooks.failingSince" values={{ when: <Time at={failingSince} relative /> }} />
    </div>
  );
}

function LastAttempt({ webhook: { lastAttempt } }: { webhook: Webhook }) {
  if (lastAttempt === null) return <>{t('webhooks.never')}</>;
  const when = <Time at={lastAttempt.at} relative />;
  return lastAttempt.fault === null ? (
    <T id="webhooks.accepted" values={{ when }} />
  ) : (
    <T id="webhooks.faultAt" values={{ fault: faultName(lastAttempt.fault), when }} />
  );
}

function itemsFor({ state, reason }: Webhook): (Omit<MenuItem, 'run'> & { action: WebhookAction })[] {
  const resume = {
    action: 'resume',
    icon: Play,
    label: t('webhooks.resume'),
    consequence: t('webhooks.resumeConsequence'),
  } as const;
  const resumeAtEnd = {
    action: 'resumeAtEnd',
    icon: Play,
    label: t('webhooks.resumeAtEnd'),
    consequence: t('webhooks.resumeAtEndConsequence'),
  } as const;
  const pause = {
    action: 'pause',
    icon: Pause,
    label: t('webhooks.pause'),
    consequence: t('webhooks.pauseConsequence'),
  } as const;
  return [
    { action: 'test', icon: Send, label: t('webhooks.test'), consequence: t('webhooks.testConsequence') },
    state === 'active' ? pause : reason === 'log_changed' ? resumeAtEnd : resume,
    { action: 'change', icon: Pencil, label: t('webhooks.change') },
    { action: 'rotate', icon: KeyRound, label: t('webhooks.rotate') },
    { action: 'delete', icon: Trash2, label: t('webhooks.delete'), destructive: true },
  ];
}
