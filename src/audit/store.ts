import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { type Actor, isOperator, isSignedIn, isSystem } from '../core/actor.ts';
import type { RefusalBurst } from '../core/refusal-bursts.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import { usernameOfAccount } from '../users/store.ts';
import type { AuditEntry } from './event-names.ts';
import { selectEventId } from './store/events.ts';

/** The database could create the salt, too. But that would make the insert of an event 4 % slower (bench/audit.ts). */
const saltBytes = 16;

/** A user whom the request has authenticated. */
export interface ActorName {
  id: string;
  username: string;
}

/**
 * Inserts an audit event. If the event records a change, this fragment must be in the statement that makes the change.
 *
 * @param source `from(cte)`: inserts the event only if this CTE returns a row; the CTE must return at most one row
 * @param proven a user who has just authenticated, if the caller has no session; becomes the actor of the event
 * @param counts more details: for each name, a statement that returns one number
 */
export function recordEvent(
  actor: Actor,
  entry: AuditEntry,
  source = sql``,
  proven?: ActorName,
  counts: Counts = {},
): Sql {
  const user = proven ?? (isSignedIn(actor) ? actor.user : null);
  const operator = isOperator(actor) ? actor.operator : null;
  const impersonator = isSignedIn(actor) ? actor.session.impersonator : null;
  const type = user ? 'user' : operator !== null ? 'operator' : isSystem(actor) ? 'system' : 'anonymous';
  const { target } = entry;
  const id = uuid();
  const insert = sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name,
       organization_id, ip, user_agent, request_id, impersonator_type, impersonator_id, impersonator_name, salt,
       details)
    select
      ${id}::uuid, latchkey.clock(), ${entry.event}::text, ${entry.outcome}::text,
      ${type}::text, ${user?.id ?? null}::uuid, ${user?.username ?? operator}::text,
      ${target?.type ?? null}::text, ${target?.id ?? null}::text, ${target?.name ?? null}::text,
      ${entry.organizationId ?? null}::uuid, ${actor.ip}::text, ${actor.userAgent}::text, ${actor.requestId}::text,
      ${impersonator?.type ?? null}::text, ${impersonator?.id ?? null}::uuid, ${impersonator?.name ?? null}::text,
      ${randomBytes(saltBytes)}::bytea, ${detailsOf(entry, counts)}
    ${source}
    returning id`;
  return insert.withAuditEvent({ id, event: entry.event });
}

/** Details that the statement itself counts. The names become part of the SQL text, so they must be constants. */
export type Counts = { readonly [name: string]: Sql };

/** An SQL expression. Composes JSON as text, because pg-mem has no functions for JSON. */
function detailsOf({ details = {} }: AuditEntry, counts: Counts): Sql {
  const text = JSON.stringify(details);
  const names = Object.keys(counts);
  if (names.length === 0) return sql`${text}::text::jsonb`;
  const separator = text === '{}' ? '' : ',';
  const parts = names.map(
    (name, index) =>
      sql`${raw(`'${index === 0 ? '' : ','}${JSON.stringify(name)}:'`)} || coalesce((${counts[name]}), 0)::text`,
  );
  return sql`(${text.slice(0, -1) + separator}::text || ${join(parts, ' || ')} || '}')::jsonb`;
}

/**
 * Inserts the event of a burst. Does nothing if the log already contains this event, so the statement is idempotent.
 *
 * A burst is recorded minutes after its refusals. If the user was erased in the meantime, the event contains no name.
 */
export function recordBurst(burst: RefusalBurst): Sql {
  const { id, event, actor, target } = burst;
  const details = {
    reason: burst.reason,
    firstAt: burst.firstAt.toISOString(),
    lastAt: burst.lastAt.toISOString(),
  };
  const insert = sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name, ip, details, count)
    select
      ${id}::uuid, latchkey.clock(), ${event}::text, 'failure',
      ${actor ? 'user' : 'anonymous'}::text, ${actor?.id ?? null}::uuid, ${usernameOfAccount(actor?.username ?? null)},
      ${target?.type ?? null}::text, ${target?.id ?? null}::text, ${usernameOfAccount(target?.name ?? null)},
      ${burst.ip}::text, ${JSON.stringify(details)}::text::jsonb, ${burst.count}::integer
    where not exists (${selectEventId(id)})`;
  return insert.withAuditEvent({ id, event });
}
