import type { Webhook } from 'latchkey';
import type { Check } from './check.ts';

/** Reports webhooks that the service has paused or disabled, and webhooks whose receivers do not accept events. */
export function examineWebhooks(webhooks: readonly Webhook[]): Check[] {
  const stopped = webhooks.filter(({ reason }) => reason !== null);
  const failing = webhooks.filter(({ state, failingSince }) => state === 'active' && failingSince !== null);
  return [
    ...stopped.map(
      ({ name, state, reason }): Check => ({
        name: 'Webhooks',
        level: 'error',
        message: `the webhook ${name} is ${state} (${reason})`,
        why: 'The receiver gets no events.',
        fix: fixes[reason ?? 'failing'](name),
      }),
    ),
    ...failing.map(
      ({ name, failingSince, lastAttempt }): Check => ({
        name: 'Webhooks',
        level: 'warning',
        message: `the receiver of the webhook ${name} has accepted no events since ${failingSince} (${lastAttempt?.fault})`,
        why: 'Events wait. The service pauses the webhook after three days of failures.',
        fix: `Correct the receiver, then run: latchkey webhooks test ${name}`,
      }),
    ),
  ];
}

const fixes: Record<NonNullable<Webhook['reason']>, (name: string) => string> = {
  failing: (name) => `Correct the receiver, then run: latchkey webhooks resume ${name}`,
  gone: (name) => `Delete the webhook, or run: latchkey webhooks resume ${name}`,
  log_changed: (name) => `Choose where to continue: latchkey webhooks resume ${name} --after start`,
  secret_unreadable: (name) =>
    `Add the earlier secret to JWT_SECRET, or run: latchkey webhooks rotate-secret ${name}. Then run: latchkey webhooks resume ${name}`,
};
