import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { bounds } from '../../core/bounds.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { requireValid, storedEvents } from '../checks.ts';
import { sealSecret } from '../secrets.ts';
import { newWebhookSecret } from '../signature.ts';
import { insertWebhook, selectWebhooks, type WebhookRow, webhookFromRow } from '../store.ts';
import type { WebhookWithSecret } from '../webhook.ts';
import { startAt } from './start.ts';

const event = 'webhook.create';

export interface WebhookRequest {
  name: string;
  url: string;
  events: readonly string[] | null;
  /** As in `startAt`. */
  after: string;
}

/**
 * Creates a webhook, and returns its secret. The audit log records the host, but not the URL, because the path of a URL can
 * contain a secret.
 *
 * @throws AuthError `invalid_request` | `webhook_name_taken` | `too_many_webhooks` | `log_changed`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function createWebhook(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  { name, url, events, after }: WebhookRequest,
): Promise<WebhookWithSecret> {
  requireValid(runtime, { name, url, events });
  const place = await startAt(runtime, after);
  const id = uuid();
  const secret = newWebhookSecret();
  const sealed = sealSecret(runtime.sealer, id, secret);
  const target = { type: 'webhook', id, name } as const;
  const details = { host: new URL(url).host, events: storedEvents(events) };
  return retryVersionConflicts(async () => {
    const existing = await runtime.db.query<WebhookRow & { slot: number }>(selectWebhooks);
    const refuseWith = (code: 'webhook_name_taken' | 'too_many_webhooks') =>
      refuse(runtime, by.actor, { event, code, reason: code, target: { ...target, id: null } });
    if (existing.some((webhook) => webhook.webhook_name === name)) return refuseWith('webhook_name_taken');
    const slot = freeSlot(existing.map((webhook) => webhook.slot));
    if (slot === null) return refuseWith('too_many_webhooks');
    const webhook = { id, name, slot, url, events: storedEvents(events), secret: sealed };
    const [row] = await runtime.db.query<WebhookRow | { webhook_id: null }>(sql`
      with entitled as (${by.stillEntitled}),
        webhook as (${insertWebhook(webhook, place, from('entitled'))}),
        entry as (${recordEvent(by.actor, { event, outcome: 'success', target, details }, from('webhook'))})
      select webhook.* from entitled left join webhook on true`);
    if (!row) return refuseUnentitled(runtime, by, { event, target: { ...target, id: null } });
    return row.webhook_id === null ? versionConflict : { webhook: webhookFromRow(row), secret };
  });
}

/** Returns the first number that no webhook has. Null: there are too many webhooks. */
function freeSlot(taken: readonly number[]): number | null {
  for (let slot = 1; slot <= bounds.webhooks; slot += 1) if (!taken.includes(slot)) return slot;
  return null;
}
