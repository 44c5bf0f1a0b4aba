import type { Webhook, WebhookTest } from 'latchkey/client';
import { t, texts } from '../messages/t.tsx';

/** The state that the page shows. `failing`: active, but the receiver does not accept events. */
export const shownState = ({ state, failingSince }: Webhook): Webhook['state'] | 'failing' =>
  state === 'active' && failingSince !== null ? 'failing' : state;

const stateNames = texts({
  active: 'webhooks.active',
  failing: 'webhooks.failing',
  paused: 'webhooks.paused',
  disabled: 'webhooks.disabled',
});

export const stateName = (webhook: Webhook): string => stateNames[shownState(webhook)];

export const faultName = (fault: NonNullable<WebhookTest['fault']>): string => t('webhooks.fault', { fault });

/** Why the service paused or disabled the webhook. Null: it did not. */
export function reasonText({ reason }: Webhook): string | null {
  if (reason === null) return null;
  return {
    failing: t('webhooks.reasonFailing'),
    gone: t('webhooks.reasonGone'),
    log_changed: t('webhooks.reasonLogChanged'),
    secret_unreadable: t('webhooks.reasonSecretUnreadable'),
  }[reason];
}

export const eventsText = ({ events }: Webhook): string => events?.join(', ') ?? t('webhooks.allEvents');
