import { eventFromRow } from '../../audit/event.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { type AuditEventRow, selectEvent } from '../../audit/store/events.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, sql } from '../../db/sql.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { settingsOf } from '../checks.ts';
import { messageOf } from '../message.ts';
import { secretsOf } from '../secrets.ts';
import { openChannel } from '../send.ts';
import { selectWebhook, type WebhookRow } from '../store.ts';
import type { WebhookTest } from '../webhook.ts';
import { findWebhook, targetOf } from './change-webhook.ts';

const event = 'webhook.test';

/**
 * Records the event `webhook.test`, sends it to the receiver at once, and returns the result. Does not change the state of
 * the webhook. The message has no `sequence`, because it is outside of the order. If the filter of the webhook includes the
 * event, the receiver gets it a second time with the same id, in order.
 *
 * @throws AuthError `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function testWebhook(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  id: string,
): Promise<WebhookTest> {
  const row = await findWebhook(runtime, id);
  const target = targetOf(row);
  const [recorded] = await runtime.db.query<{ id: string | null }>(sql`
    with entitled as (${by.stillEntitled}),
      webhook as (${selectWebhook(id)}),
      entry as (${recordEvent(by.actor, { event, outcome: 'success', target }, from('entitled, webhook'))})
    select entry.id from entitled left join entry on true`);
  if (!recorded) return refuseUnentitled(runtime, by, { event, target });
  const [entry] = await runtime.db.query<AuditEventRow>(selectEvent(recorded.id ?? ''));
  if (!entry) return testWebhook(runtime, by, id);
  return { ...(await sendTo(runtime, row, entry)), eventId: entry.id };
}

async function sendTo(
  runtime: Runtime,
  row: WebhookRow,
  entry: AuditEventRow,
): Promise<Omit<WebhookTest, 'eventId'>> {
  const secrets = secretsOf(runtime.sealer, row);
  if (secrets === null) return { fault: 'secret_unreadable', status: null, durationMs: 0 };
  const [source] = runtime.config.origins;
  const sent = { event: eventFromRow(entry), position: null };
  const message = messageOf(sent, { source, secrets, now: runtime.clock() });
  const channel = openChannel(row.url, settingsOf(runtime));
  const startedAt = performance.now();
  try {
    const { fault, status } = await channel.send(message);
    return { fault, status, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    channel.close();
  }
}
