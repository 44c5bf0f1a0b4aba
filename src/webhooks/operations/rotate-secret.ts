import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { sealSecret } from '../secrets.ts';
import { newWebhookSecret } from '../signature.ts';
import { replaceSecret, webhookFromRow } from '../store.ts';
import type { WebhookWithSecret } from '../webhook.ts';
import { changeWebhook } from './change-webhook.ts';

/**
 * Replaces the secret of a webhook, and returns the new one. For 24 hours, each request also has a signature with the
 * earlier secret, so that the receiver can change its secret at any time.
 *
 * @throws AuthError `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function rotateWebhookSecret(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  id: string,
): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  const row = await changeWebhook(runtime, by, id, (current) => ({
    event: 'webhook.rotate_secret',
    change: (found, condition) =>
      replaceSecret(found, sealSecret(runtime.sealer, current.webhook_id, secret), condition),
  }));
  return { webhook: webhookFromRow(row), secret };
}
