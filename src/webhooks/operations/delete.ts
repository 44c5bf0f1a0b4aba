import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { deleteWebhook as storeDeletion } from '../store.ts';
import { findWebhook, targetOf } from './change-webhook.ts';

const event = 'webhook.delete';

/**
 * Deletes a webhook and its secret.
 *
 * @throws AuthError `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function deleteWebhook(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  id: string,
): Promise<void> {
  await retryVersionConflicts(async () => {
    const found = await findWebhook(runtime, id);
    const target = targetOf(found);
    const [row] = await runtime.db.query<{ deleted_id: string | null }>(sql`
      with entitled as (${by.stillEntitled}),
        deleted as (${storeDeletion(found, andExists('entitled'))}),
        entry as (${recordEvent(by.actor, { event, outcome: 'success', target }, from('deleted'))})
      select deleted.id as deleted_id from entitled left join deleted on true`);
    if (!row) return refuseUnentitled(runtime, by, { event, target });
    return row.deleted_id === null ? versionConflict : undefined;
  });
}
