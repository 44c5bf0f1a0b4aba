import type { AuditEventName } from '../audit/event-names.ts';
import { recordEvent } from '../audit/store.ts';
import { system } from '../core/actor.ts';
import { second } from '../core/duration.ts';
import type { Runtime } from '../core/runtime.ts';
import { from, type Sql, sql } from '../db/sql.ts';
import { milliseconds } from '../db/timestamp.ts';
import { afterFailure } from './rules.ts';
import { type Claim, saveFailure, stopWebhook } from './store/deliveries.ts';
import type { WebhookRow } from './store.ts';
import type { FailedAttempt, WebhookReason, WebhookState } from './webhook.ts';

const events: Record<Exclude<WebhookState, 'active'>, AuditEventName> = {
  paused: 'webhook.pause',
  disabled: 'webhook.disable',
};

/** Stores a failed attempt. After the last attempt, the same statement records that the webhook is paused or disabled. */
export async function saveFailedAttempt(
  runtime: Runtime,
  row: WebhookRow,
  claim: Claim,
  attempt: FailedAttempt,
): Promise<void> {
  const attempts = row.attempts + 1;
  const failingMs = row.failing_since === null ? 0 : milliseconds(row.now) - milliseconds(row.failing_since);
  const next = afterFailure(attempt, { attempts, failingMs, random: Math.random() });
  const { fault, status } = attempt;
  const reported = { webhook: row.webhook_name, fault, status, attempts };
  const failure = {
    attempt,
    state: next.state,
    reason: next.state === 'active' ? null : next.reason,
    pauseMs: next.state === 'active' ? next.pauseMs : 0,
    version: row.webhook_version,
  };
  const stored = saveFailure(claim, failure);
  if (next.state === 'active') {
    await runtime.db.query(stored);
    const fields = { ...reported, nextAttemptSeconds: Math.round(next.pauseMs / second) };
    runtime.log.warn(fields, 'the receiver of a webhook does not accept an event, trying again later');
    return;
  }
  const [ended] = await runtime.db.query(recordedEnd(row, next.state, next.reason, stored));
  if (ended) reportEnd(runtime, row, next.state, { ...reported, reason: next.reason });
}

/** Pauses a webhook that the service cannot continue. */
export async function stopSending(
  runtime: Runtime,
  row: WebhookRow,
  claim: Claim,
  reason: 'log_changed' | 'secret_unreadable',
): Promise<void> {
  const stored = stopWebhook(claim, reason, row.webhook_version);
  const [ended] = await runtime.db.query(recordedEnd(row, 'paused', reason, stored));
  if (ended) reportEnd(runtime, row, 'paused', { webhook: row.webhook_name, reason });
}

const recordedEnd = (
  { webhook_id: id, webhook_name: name }: WebhookRow,
  state: Exclude<WebhookState, 'active'>,
  reason: WebhookReason,
  stored: Sql,
) => {
  const target = { type: 'webhook', id, name } as const;
  const entry = { event: events[state], outcome: 'success', target, details: { reason } } as const;
  return sql`
    with webhook as (${stored}),
      entry as (${recordEvent(system, entry, from('webhook'))})
    select webhook.id from webhook`;
};

const reportEnd = (
  { log }: Runtime,
  row: WebhookRow,
  state: Exclude<WebhookState, 'active'>,
  fields: object,
) =>
  log.error(
    { ...fields, failingSince: row.failing_since },
    state === 'paused'
      ? 'the service has paused a webhook; remove the cause, then resume the webhook'
      : 'the service has disabled a webhook, because its receiver answered 410',
  );

/** Logs that the receiver accepts events again. */
export const reportRecovery = ({ log }: Runtime, row: WebhookRow): void =>
  log.info(
    { webhook: row.webhook_name, attempts: row.attempts },
    'the receiver of a webhook accepts events again',
  );
