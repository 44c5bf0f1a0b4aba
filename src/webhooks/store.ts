import { type Sql, sql } from '../db/sql.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import type { DeliveryFault, Webhook, WebhookReason, WebhookState } from './webhook.ts';

const columns = sql`
  webhooks.id as webhook_id, webhooks.name as webhook_name, webhooks.url, webhooks.events, webhooks.secret,
  webhooks.previous_secret, webhooks.previous_until, webhooks.previous_until > latchkey.clock() as rotating,
  webhooks.state, webhooks.reason, webhooks.version as webhook_version, webhooks.after_position::text as after_position,
  webhooks.after_id, webhooks.attempts, webhooks.failing_since, webhooks.next_at, webhooks.last_at,
  webhooks.last_status, webhooks.last_fault, webhooks.created_at, latchkey.clock() as now`;

/** All columns are null if a left join found no webhook. */
export interface WebhookRow {
  webhook_id: string;
  webhook_name: string;
  url: string;
  events: string | null;
  /** Encrypted, as `previous_secret`. */
  secret: string;
  previous_secret: string | null;
  previous_until: Timestamp | null;
  /** Null: the secret was never rotated. */
  rotating: boolean | null;
  state: WebhookState;
  reason: WebhookReason | null;
  webhook_version: number;
  /** Decimal digits. `-1`: before the first event. */
  after_position: string;
  after_id: string | null;
  attempts: number;
  failing_since: Timestamp | null;
  next_at: Timestamp;
  last_at: Timestamp | null;
  last_status: number | null;
  last_fault: DeliveryFault | null;
  created_at: Timestamp;
  now: Timestamp;
}

export const webhookFromRow = (row: WebhookRow): Webhook => ({
  id: row.webhook_id,
  name: row.webhook_name,
  url: row.url,
  events: row.events === null ? null : row.events.split(','),
  state: row.state,
  reason: row.reason,
  cursor: row.after_id === null ? null : `${row.after_position}:${row.after_id}`,
  failedAttempts: row.attempts,
  failingSince: row.failing_since && rfc3339(row.failing_since),
  nextAttemptAt: row.state === 'active' && row.attempts > 0 ? rfc3339(row.next_at) : null,
  lastAttempt:
    row.last_at === null
      ? null
      : { at: rfc3339(row.last_at), status: row.last_status, fault: row.last_fault },
  createdAt: rfc3339(row.created_at),
  rotatingUntil: row.rotating && row.previous_until ? rfc3339(row.previous_until) : null,
});

/** Selects all webhooks. Their number is limited. */
export const selectWebhooks = sql`
  select ${columns}, webhooks.slot from latchkey.webhooks order by webhooks.name`;

export const selectWebhook = (id: string): Sql => sql`
  select ${columns} from latchkey.webhooks where webhooks.id = ${id}::uuid`;

export const selectWebhookNamed = (name: string): Sql => sql`
  select ${columns} from latchkey.webhooks where webhooks.name = ${name}::text`;

export interface StoredWebhook {
  id: string;
  name: string;
  /** A number that no other webhook has. It limits the number of webhooks. */
  slot: number;
  url: string;
  /** Names and prefixes, separated by commas. Null: all events. */
  events: string | null;
  /** Encrypted. */
  secret: string;
}

/** The last event that was delivered or left out by the filter. */
export interface Place {
  /** Decimal digits. `-1`: before the first event. */
  position: string;
  /** Null: before the first event. */
  eventId: string | null;
}

/**
 * Inserts a webhook. Inserts nothing if another webhook has the name or the slot.
 *
 * @param source `from(cte)`: inserts the webhook only if this CTE returns a row
 */
export const insertWebhook = (webhook: StoredWebhook, after: Place, source: Sql): Sql => sql`
  insert into latchkey.webhooks
    (id, name, slot, url, events, secret, state, after_position, after_id, next_at, created_at)
  select ${webhook.id}::uuid, ${webhook.name}::text, ${webhook.slot}::integer, ${webhook.url}::text,
    ${webhook.events}::text, ${webhook.secret}::text, 'active', ${after.position}::text::bigint,
    ${after.eventId}::uuid, latchkey.clock(), latchkey.clock()
  ${source}
  on conflict do nothing
  returning ${columns}`;

const withoutFailures = sql`attempts = 0, failing_since = null, next_at = latchkey.clock()`;

/** @param condition a condition on an earlier CTE, such as `andExists('entitled')` */
export const updateWebhook = (
  { webhook_id: id, webhook_version: version }: WebhookRow,
  { url, events }: Pick<StoredWebhook, 'url' | 'events'>,
  condition: Sql,
): Sql => sql`
  update latchkey.webhooks
  set url = ${url}::text, events = ${events}::text, version = version + 1, ${withoutFailures}
  where id = ${id}::uuid and version = ${version}::integer ${condition}
  returning ${columns}`;

/**
 * Replaces the secret. Signatures also use the earlier one for 24 hours. The interval is not `1 day`, because a day has 25
 * hours if daylight saving time ends in the time zone of the connection.
 *
 * @param condition as in `updateWebhook`
 */
export const replaceSecret = (
  { webhook_id: id, webhook_version: version }: WebhookRow,
  secret: string,
  condition: Sql,
): Sql => sql`
  update latchkey.webhooks
  set previous_secret = secret, previous_until = latchkey.clock() + interval '24 hours', secret = ${secret}::text,
    version = version + 1
  where id = ${id}::uuid and version = ${version}::integer ${condition}
  returning ${columns}`;

/** @param condition as in `updateWebhook` */
export const pauseWebhook = (
  { webhook_id: id, webhook_version: version }: WebhookRow,
  condition: Sql,
): Sql => sql`
  update latchkey.webhooks set state = 'paused', reason = null, version = version + 1
  where id = ${id}::uuid and version = ${version}::integer ${condition}
  returning ${columns}`;

/**
 * Makes a webhook active again. The next attempt follows at once.
 *
 * @param after null: after the last delivered event
 * @param condition as in `updateWebhook`
 */
export const resumeWebhook = (
  { webhook_id: id, webhook_version: version }: WebhookRow,
  after: Place | null,
  condition: Sql,
): Sql => sql`
  update latchkey.webhooks
  set state = 'active', reason = null, version = version + 1, ${withoutFailures} ${after === null ? sql`` : movedTo(after)}
  where id = ${id}::uuid and version = ${version}::integer ${condition}
  returning ${columns}`;

/** A process that has the lease must not move the webhook from its earlier place. */
const movedTo = ({ position, eventId }: Place): Sql => sql`
    , after_position = ${position}::text::bigint, after_id = ${eventId}::uuid, holder = null, held_until = null`;

/** @param condition as in `updateWebhook` */
export const deleteWebhook = (
  { webhook_id: id, webhook_version: version }: WebhookRow,
  condition: Sql,
): Sql => sql`
  delete from latchkey.webhooks
  where id = ${id}::uuid and version = ${version}::integer ${condition}
  returning id`;
