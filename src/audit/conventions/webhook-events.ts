import { type EventConvention, nullable, optional, text } from './convention.ts';

const receiver = {
  host: text('The host of the URL.'),
  events: nullable(text('The event filter. Null: all events.')),
};

/** The events of managing webhooks. */
export const webhookEvents = {
  'webhook.list': { when: 'A request to list webhooks was refused.', target: null, onlyRefusals: true },
  'webhook.create': {
    when: 'A superadmin or an operator created a webhook.',
    target: 'webhook',
    details: receiver,
  },
  'webhook.update': {
    when: 'A superadmin or an operator changed the URL or the event filter of a webhook.',
    target: 'webhook',
    details: receiver,
  },
  'webhook.rotate_secret': {
    when: 'A superadmin or an operator replaced the secret of a webhook.',
    target: 'webhook',
  },
  'webhook.pause': {
    when: 'A superadmin, an operator or the service paused a webhook.',
    target: 'webhook',
    details: {
      reason: optional(
        text(
          'Why the service paused it: `failing`, `log_changed` or `secret_unreadable`. Absent: it did not.',
        ),
      ),
    },
  },
  'webhook.resume': {
    when: 'A superadmin or an operator made a webhook active again.',
    target: 'webhook',
    details: {
      after: nullable(
        text('Where it continues: `end`, `start` or a cursor. Null: after the last delivered event.'),
      ),
    },
  },
  'webhook.test': { when: 'A superadmin or an operator sent a test event to a webhook.', target: 'webhook' },
  'webhook.disable': {
    when: 'The service disabled a webhook because its receiver responded with 410.',
    target: 'webhook',
    neverRefused: true,
    details: { reason: text('Always `gone`.') },
  },
  'webhook.delete': { when: 'A superadmin or an operator deleted a webhook.', target: 'webhook' },
} as const satisfies Record<string, EventConvention>;
