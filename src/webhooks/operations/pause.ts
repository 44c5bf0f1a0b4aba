import type { Runtime } from '../../core/runtime.ts';
import { pauseWebhook as storePause, webhookFromRow } from '../store.ts';
import type { Webhook } from '../webhook.ts';
import { changeWebhook, type WebhookManager } from './change-webhook.ts';

/**
 * Pauses a webhook. It loses no events: `resumeWebhook` continues after the last delivered event.
 *
 * @throws AuthError `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function pauseWebhook(runtime: Runtime, by: WebhookManager, id: string): Promise<Webhook> {
  const row = await changeWebhook(runtime, by, id, () => ({ event: 'webhook.pause', change: storePause }));
  return webhookFromRow(row);
}
