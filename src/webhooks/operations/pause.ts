import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { pauseWebhook as storePause, webhookFromRow } from '../store.ts';
import type { Webhook } from '../webhook.ts';
import { changeWebhook } from './change-webhook.ts';

/**
 * Pauses a webhook. It loses no events: `resumeWebhook` continues after the last delivered event.
 *
 * @throws AuthError `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function pauseWebhook(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  id: string,
): Promise<Webhook> {
  const row = await changeWebhook(runtime, by, id, () => ({ event: 'webhook.pause', change: storePause }));
  return webhookFromRow(row);
}
