import { v7 as uuid } from 'uuid';
import { type Actor, isOperator, isSignedIn } from '../core/actor.ts';
import { type Statement, sql } from '../db/database.ts';
import type { AuditEntry } from './events.ts';

/** Who did it, where the caller's session does not say so: the person a ceremony has just proven to be. */
export interface ActorName {
  id: string;
  username: string;
}

/**
 * The insert of one audit row, to be composed into the statement of the change it tells of.
 *
 * @param source `from(cte)`: the row is written once for each row of that part, so never for a change that did not happen
 */
export function recordEvent(actor: Actor, entry: AuditEntry, source = sql``, proven?: ActorName): Statement {
  const who = proven ?? (isSignedIn(actor) ? actor.user : null);
  const operator = isOperator(actor) ? actor.operator : null;
  const type = who ? 'user' : operator === null ? 'anonymous' : 'operator';
  const { target } = entry;
  return sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name,
       ip, user_agent, request_id, details)
    select
      ${uuid()}::uuid, latchkey.clock(), ${entry.event}::text, ${entry.outcome}::text,
      ${type}::text, ${who?.id ?? null}::uuid, ${who?.username ?? operator}::text,
      ${target?.type ?? null}::text, ${target?.id ?? null}::text, ${target?.name ?? null}::text,
      ${actor.ip}::text, ${actor.userAgent}::text, ${actor.requestId}::text,
      ${JSON.stringify(entry.details ?? {})}::text::jsonb
    ${source}
    returning id`;
}
