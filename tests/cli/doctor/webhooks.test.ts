import type { Webhook } from 'latchkey';
import { expect, test } from 'vitest';
import { examineWebhooks } from '../../../cli/doctor/webhooks.ts';

const webhook: Webhook = {
  id: '1',
  name: 'siem',
  url: 'https://siem.example.com/',
  events: null,
  state: 'active',
  reason: null,
  cursor: null,
  failedAttempts: 0,
  failingSince: null,
  nextAttemptAt: null,
  lastAttempt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  rotatingUntil: null,
};

test.each([
  ['paused', 'failing', 'latchkey webhooks resume siem'],
  ['disabled', 'gone', 'Delete the webhook'],
  ['paused', 'log_changed', '--after start'],
  ['paused', 'secret_unreadable', 'latchkey webhooks rotate-secret siem'],
] as const)('the doctor reports a webhook that is %s because of %s', (state, reason, fix) => {
  expect(examineWebhooks([{ ...webhook, state, reason }])).toMatchObject([
    {
      level: 'error',
      message: `the webhook siem is ${state} (${reason})`,
      fix: expect.stringContaining(fix),
    },
  ]);
});

test('the doctor warns about a webhook whose receiver accepts no events', () => {
  const lastAttempt = { at: webhook.createdAt, status: 500, fault: 'refused' } as const;
  const failing = { ...webhook, failingSince: webhook.createdAt, lastAttempt };
  expect(examineWebhooks([failing])).toMatchObject([
    {
      level: 'warning',
      message: `the receiver of the webhook siem has accepted no events since ${webhook.createdAt} (refused)`,
    },
  ]);
});

test('the doctor has no warning about a webhook that works, or that an operator has paused', () => {
  expect(examineWebhooks([webhook, { ...webhook, state: 'paused' }])).toEqual([]);
});
