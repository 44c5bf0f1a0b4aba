import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { requireValid, storedEvents } from '../checks.ts';
import { updateWebhook as storeUpdate, webhookFromRow } from '../store.ts';
import type { Webhook } from '../webhook.ts';
import { changeWebhook } from './change-webhook.ts';

/** Changes of a webhook. Absent values do not change. */
export interface WebhookUpdate {
  url?: string | undefined;
  events?: readonly string[] | null | undefined;
}

/**
 * Changes the URL or the event filter of a webhook. The next attempt follows at once. The filter applies to all events that
 * were not delivered yet.
 *
 * @throws AuthError `invalid_request` | `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function updateWebhook(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  id: string,
  { url, events }: WebhookUpdate,
): Promise<Webhook> {
  requireValid(runtime, { ...(url !== undefined && { url }), ...(events && { events }) });
  const row = await changeWebhook(runtime, by, id, (current) => {
    const to = {
      url: url ?? current.url,
      events: events === undefined ? current.events : storedEvents(events),
    };
    return {
      event: 'webhook.update',
      details: { host: new URL(to.url).host, events: to.events },
      change: (found, condition) => storeUpdate(found, to, condition),
    };
  });
  return webhookFromRow(row);
}
