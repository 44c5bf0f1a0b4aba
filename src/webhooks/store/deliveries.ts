import { interval, second } from '../../core/duration.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { FailedAttempt, WebhookReason, WebhookState } from '../webhook.ts';

/**
 * How long a lease lasts after its last renewal. Longer than one attempt, so that no second process sends at the same
 * time.
 */
export const leaseSeconds = 45;

const lease = sql`latchkey.clock() + ${interval(leaseSeconds)}::interval`;

const isDue = sql`
  webhooks.state = 'active' and webhooks.next_at <= latchkey.clock()
    and (webhooks.held_until is null or webhooks.held_until <= latchkey.clock())`;

/** Selects the active webhooks whose pause is over and whose lease is free. @param newest the last position */
export const selectDue = (newest: Sql): Sql => sql`
  select webhooks.id from latchkey.webhooks
  where ${isDue} and webhooks.after_position < (${newest})::bigint
  order by webhooks.next_at`;

/** Takes the lease of a due webhook. Of several processes, one gets the row. */
export const claimWebhook = (id: string, holder: string): Sql => sql`
  update latchkey.webhooks set holder = ${holder}::uuid, held_until = ${lease}
  where id = ${id}::uuid and ${isDue}
  returning id`;

/** The last event that was delivered or left out by the filter, and the holder of the lease. */
export interface Claim {
  id: string;
  holder: string;
  /** Decimal digits. `-1`: before the first event. */
  position: string;
}

const isHeld = ({ id, holder, position }: Claim): Sql => sql`
  id = ${id}::uuid and holder = ${holder}::uuid and after_position = ${position}::text::bigint`;

/**
 * Moves past events that the receiver accepted, or that the filter left out. Renews the lease. Moves nothing if another
 * process has the lease, or has moved the webhook.
 *
 * @param attempt null: nothing was sent
 */
export const saveProgress = (
  claim: Claim,
  to: { position: string; eventId: string },
  attempt: { status: number } | null,
): Sql => sql`
  update latchkey.webhooks
  set after_position = ${to.position}::text::bigint, after_id = ${to.eventId}::uuid, held_until = ${lease}
    ${
      attempt === null
        ? sql``
        : sql`, attempts = 0, failing_since = null, next_at = latchkey.clock(),
    last_at = latchkey.clock(), last_status = ${attempt.status}::integer, last_fault = null`
    }
  where ${isHeld(claim)}
  returning state, version`;

/** What the service stores about a failed attempt. */
export interface Failure {
  attempt: FailedAttempt;
  state: WebhookState;
  reason: WebhookReason | null;
  pauseMs: number;
  /** The version of the webhook when the attempt began. */
  version: number;
}

/**
 * Stores a failed attempt and gives the lease back. Stores nothing if the webhook has changed since the attempt began,
 * because then the attempt says nothing about the new URL.
 */
export const saveFailure = (claim: Claim, { attempt, state, reason, pauseMs, version }: Failure): Sql => sql`
  update latchkey.webhooks
  set attempts = attempts + 1, failing_since = coalesce(failing_since, latchkey.clock()),
    next_at = latchkey.clock() + ${interval(pauseMs / second)}::interval,
    state = ${state}::text, reason = ${reason}::text,
    last_at = latchkey.clock(), last_status = ${attempt.status}::integer, last_fault = ${attempt.fault}::text,
    holder = null, held_until = null
  where ${isHeld(claim)} and state = 'active' and version = ${version}::integer
  returning id`;

/** Pauses a webhook that the service cannot continue, and gives the lease back. */
export const stopWebhook = (claim: Claim, reason: WebhookReason, version: number): Sql => sql`
  update latchkey.webhooks set state = 'paused', reason = ${reason}::text, holder = null, held_until = null
  where ${isHeld(claim)} and state = 'active' and version = ${version}::integer
  returning id`;

/** Gives the lease back. */
export const releaseWebhook = ({ id, holder }: Pick<Claim, 'id' | 'holder'>): Sql => sql`
  update latchkey.webhooks set holder = null, held_until = null
  where id = ${id}::uuid and holder = ${holder}::uuid
  returning id`;
