import type { AuditEntry, AuditEventName } from '../../audit/event-names.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { selectWebhook, selectWebhookNamed, type WebhookRow } from '../store.ts';

/** Returns the webhook with an id. @throws AuthError `not_found` */
export async function findWebhook({ db }: Runtime, id: string): Promise<WebhookRow> {
  const [row] = isUuid(id) ? await db.query<WebhookRow>(selectWebhook(id)) : [];
  if (!row) throw new AuthError('not_found');
  return row;
}

/** Returns the id of the webhook with a name. @throws AuthError `not_found` */
export async function findWebhookNamed(
  { db }: Runtime,
  _: Entitled<'webhook:manage'>,
  name: string,
): Promise<string> {
  const [row] = await db.query<WebhookRow>(selectWebhookNamed(name));
  if (!row) throw new AuthError('not_found', { message: `No webhook has the name "${name}".` });
  return row.webhook_id;
}

/** The target of audit events about a webhook. */
export const targetOf = ({ webhook_id: id, webhook_name: name }: WebhookRow) =>
  ({ type: 'webhook', id, name }) as const;

/** One change of a webhook. */
export interface WebhookChange {
  event: AuditEventName;
  details?: AuditEntry['details'];
  /** The statement of the change. It guards the version of the row. */
  change(row: WebhookRow, condition: Sql): Sql;
}

/**
 * Changes a webhook and records the event in the same statement. The version of the webhook guards the change.
 *
 * @param decide called with the current row
 * @throws AuthError `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function changeWebhook(
  runtime: Runtime,
  by: Entitled<'webhook:manage'>,
  id: string,
  decide: (row: WebhookRow) => Promise<WebhookChange> | WebhookChange,
): Promise<WebhookRow> {
  return retryVersionConflicts(async () => {
    const row = await findWebhook(runtime, id);
    const { event, details, change } = await decide(row);
    const target = targetOf(row);
    const entry = { event, outcome: 'success', target, details } as const;
    const [changed] = await runtime.db.query<WebhookRow | { webhook_id: null }>(sql`
      with entitled as (${by.stillEntitled}),
        webhook as (${change(row, andExists('entitled'))}),
        entry as (${recordEvent(by.actor, entry, from('webhook'))})
      select webhook.* from entitled left join webhook on true`);
    if (!changed) return refuseUnentitled(runtime, by, { event, target });
    return changed.webhook_id === null ? versionConflict : changed;
  });
}
