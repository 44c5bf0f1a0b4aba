import { refuse } from '../../audit/operations/refuse.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { resumeWebhook as storeResumption, webhookFromRow } from '../store.ts';
import type { Webhook } from '../webhook.ts';
import { changeWebhook, targetOf } from './change-webhook.ts';
import { startAt } from './start.ts';

const event = 'webhook.resume';

/**
 * Makes a paused or disabled webhook active again.
 *
 * @param after as in `startAt`; undefined: continues after the last delivered event
 * @throws AuthError `not_found` | `invalid_request` for an invalid `after`
 * @throws AuthError `log_changed` without `after`, if the service paused the webhook with this reason
 * @throws AuthError `log_changed` if the log does not contain the event of the cursor
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function resumeWebhook(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  id: string,
  after: string | undefined,
): Promise<Webhook> {
  const place = after === undefined ? null : await startAt(runtime, after);
  const row = await changeWebhook(runtime, by, id, (current) => {
    const code = 'log_changed';
    if (place === null && current.reason === code)
      return refuse(runtime, by.actor, { event, code, reason: code, target: targetOf(current) });
    return {
      event,
      details: { after: after ?? null },
      change: (found, condition) => storeResumption(found, place, condition),
    };
  });
  return webhookFromRow(row);
}
