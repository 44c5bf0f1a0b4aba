import { v7 as uuid } from 'uuid';
import { type Actor, isOperator, isSignedIn } from '../core/actor.ts';
import { interval } from '../core/duration.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import type { Timestamp } from '../db/timestamp.ts';
import type { AuditEntry, AuditEventName, AuditOutcome } from './event-names.ts';

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
export function recordEvent(actor: Actor, entry: AuditEntry, source = sql``, proven?: ActorName): Sql {
  const who = proven ?? (isSignedIn(actor) ? actor.user : null);
  const operator = isOperator(actor) ? actor.operator : null;
  const type = who ? 'user' : operator === null ? 'anonymous' : 'operator';
  const { target } = entry;
  const id = uuid();
  const insert = sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name,
       organization_id, ip, user_agent, request_id, details)
    select
      ${id}::uuid, latchkey.clock(), ${entry.event}::text, ${entry.outcome}::text,
      ${type}::text, ${who?.id ?? null}::uuid, ${who?.username ?? operator}::text,
      ${target?.type ?? null}::text, ${target?.id ?? null}::text, ${target?.name ?? null}::text,
      ${entry.organizationId ?? null}::uuid, ${actor.ip}::text, ${actor.userAgent}::text, ${actor.requestId}::text,
      ${JSON.stringify(entry.details ?? {})}::text::jsonb
    ${source}
    returning id`;
  return insert.withAuditEvent({ id, event: entry.event });
}

export interface AuditEventRow {
  id: string;
  at: Timestamp;
  event: string;
  outcome: AuditOutcome;
  actor_type: 'user' | 'operator' | 'anonymous' | 'system';
  actor_id: string | null;
  actor_name: string | null;
  target_type: string | null;
  target_id: string | null;
  target_name: string | null;
  organization_id: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  details: Record<string, string | number | boolean | null>;
}

export interface AuditFilter {
  events?: readonly AuditEventName[] | undefined;
  outcome?: AuditOutcome | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  organizationId?: string | undefined;
  /** RFC 3339, inclusive. */
  from?: string | undefined;
  /** RFC 3339, exclusive. */
  to?: string | undefined;
}

/** A part of the log in its order: from the event after this one on. */
export interface AuditStretch {
  order: 'newest_first' | 'oldest_first';
  /** The id of an event. */
  after?: string | undefined;
  /** The id of the event to end with. */
  upTo?: string | undefined;
  limit: number;
}

const columnsBesideOrigin = sql`
  audit_events.id, audit_events.at, audit_events.event, audit_events.outcome, audit_events.actor_type,
  audit_events.actor_id, audit_events.actor_name, audit_events.target_type, audit_events.target_id,
  audit_events.target_name, audit_events.organization_id, audit_events.details`;

const columns = sql`
  ${columnsBesideOrigin}, audit_events.ip, audit_events.user_agent, audit_events.request_id`;

/** Events that match a filter, in the order of the index on their time. */
export const selectEvents = (filter: AuditFilter, stretch: AuditStretch): Sql => sql`
  select ${columns} from latchkey.audit_events
  where ${join(conditionsOf(filter, stretch), ' and ')}
  ${inOrder(stretch)}`;

/** Limits which events a reader sees. */
export interface AuditScope {
  /** A `select` of one column: the organizations whose events are in scope. */
  organizationIds: Sql;
  /** A condition that holds where a user is now a member of an organization and joined it after a time. */
  hasJoinedAfter(organizationId: Sql, userId: Sql, time: Sql): Sql;
  /** A condition that holds where a user is now a member of an organization. */
  isMember(organizationId: Sql, userId: Sql): Sql;
}

/** As `selectEvents`, within a scope. */
export const selectEventsWithin = (scope: AuditScope, filter: AuditFilter, stretch: AuditStretch): Sql => {
  const { actorId, targetId, organizationId } = filter;
  const isNarrow = (actorId ?? targetId ?? organizationId) !== undefined;
  return (isNarrow ? selectChosenWithin : selectNewestWithin)(scope, filter, stretch);
};

/** Events of one actor, target or organization: found by the index on that column, then reduced to the scope. */
const selectChosenWithin = (scope: AuditScope, filter: AuditFilter, stretch: AuditStretch): Sql => {
  // Without `is true`, the planner starts from the organizations and reads all of their events.
  const inScope = sql`(audit_events.organization_id in (${scope.organizationIds})) is true`;
  return selectVisible(scope, inScope, filter, stretch);
};

/**
 * Reads one page of each organization by the index on organization and time, and merges them into one page. The cost
 * grows with the number of organizations, not with the size of the log.
 */
const selectNewestWithin = (scope: AuditScope, filter: AuditFilter, stretch: AuditStretch): Sql => sql`
  select ${columns}
  from (${scope.organizationIds}) as known (id)
  cross join lateral (
    ${selectVisible(scope, sql`audit_events.organization_id = known.id`, filter, stretch)}
  ) as audit_events
  ${inOrder(stretch)}`;

/**
 * Finds the positions by the index alone, which covers most filters. Rows are then read one by one until the page is
 * full.
 */
const selectVisible = (
  scope: AuditScope,
  inScope: Sql,
  filter: AuditFilter,
  stretch: AuditStretch,
): Sql => sql`
  select ${columnsBesideOrigin}, ${originOfMembers(scope)}
  from (
    select audit_events.at, audit_events.id from latchkey.audit_events
    where ${inScope} and ${join(conditionsOf(filter, stretch), ' and ')}
    order by ${directionOf(stretch, 'audit_events.')}
  ) as found
  join latchkey.audit_events on audit_events.id = found.id
  where ${isSinceJoining(scope)}
  order by ${directionOf(stretch, 'found.')}
  limit ${stretch.limit}::integer`;

/**
 * The address, browser and request of events whose actor is a member. An organization admin can invite any user by name:
 * to decline must not tell where that user is.
 */
const originOfMembers = ({ isMember }: AuditScope): Sql => {
  const ofMember = (column: Sql, name: string) =>
    sql`case when ${isMember(sql`audit_events.organization_id`, sql`audit_events.actor_id`)} then ${column} end as ${raw(name)}`;
  return join([
    ofMember(sql`audit_events.ip`, 'ip'),
    ofMember(sql`audit_events.user_agent`, 'user_agent'),
    ofMember(sql`audit_events.request_id`, 'request_id'),
  ]);
};

/** Excludes events from before their actor or target, if now a member of the event's organization, joined it. */
const isSinceJoining = ({ hasJoinedAfter }: AuditScope): Sql => {
  const hides = (userId: Sql) =>
    hasJoinedAfter(sql`audit_events.organization_id`, userId, sql`audit_events.at`);
  // `is false`, since the planner may turn a plain `not exists` into a join that reads every event first.
  return sql`${hides(sql`audit_events.actor_id`)} is false and ${hides(targetUserId)} is false`;
};

/** Other targets have ids that are no uuid, so the type is checked first: only a `case` guarantees that order. */
const targetUserId = sql`case when audit_events.target_type = 'user' then audit_events.target_id::uuid end`;

function conditionsOf(filter: AuditFilter, { order, after, upTo }: AuditStretch): Sql[] {
  const { events, outcome, actorId, targetId, organizationId, from, to } = filter;
  const conditions = [sql`true`];
  if (events !== undefined)
    conditions.push(sql`audit_events.event in (${join(events.map((event) => sql`${event}::text`))})`);
  if (outcome !== undefined) conditions.push(sql`audit_events.outcome = ${outcome}::text`);
  if (actorId !== undefined) conditions.push(sql`audit_events.actor_id = ${actorId}::uuid`);
  if (targetId !== undefined) conditions.push(sql`audit_events.target_id = ${targetId}::text`);
  if (organizationId !== undefined)
    conditions.push(sql`audit_events.organization_id = ${organizationId}::uuid`);
  if (from !== undefined) conditions.push(sql`audit_events.at >= ${from}::text::timestamptz`);
  if (to !== undefined) conditions.push(sql`audit_events.at < ${to}::text::timestamptz`);
  if (after !== undefined) conditions.push(beyond(order === 'newest_first' ? '<' : '>', after));
  if (upTo !== undefined) conditions.push(beyond(order === 'newest_first' ? '>' : '<', upTo, true));
  return conditions;
}

/** Events on one side of another, by time and then id: that event's own time, since ours are less fine. */
function beyond(comparison: '<' | '>', id: string, inclusive = false): Sql {
  const at = sql`(select place.at from latchkey.audit_events as place where place.id = ${id}::uuid)`;
  const side = raw(comparison);
  // The first condition is what the index is entered by.
  return sql`
    audit_events.at ${side}= ${at}
    and (audit_events.at ${side} ${at} or audit_events.id ${raw(inclusive ? `${comparison}=` : comparison)} ${id}::uuid)`;
}

const inOrder = (stretch: AuditStretch): Sql => sql`
  order by ${directionOf(stretch, 'audit_events.')}
  limit ${stretch.limit}::integer`;

const directionOf = ({ order }: AuditStretch, prefix = ''): Sql =>
  raw(order === 'newest_first' ? `${prefix}at desc, ${prefix}id desc` : `${prefix}at, ${prefix}id`);

/** Those of these events that there are. */
export const selectEventsById = (ids: readonly string[]): Sql => sql`
  select ${columns} from latchkey.audit_events
  where audit_events.id in (${join(ids.map((id) => sql`${id}::uuid`))})`;

/** Zero rows or one: whether there is an event of that id. */
export const selectEventId = (id: string): Sql => sql`
  select audit_events.id from latchkey.audit_events where audit_events.id = ${id}::uuid`;

/** A row where the log has been pruned lately, by whatever process. */
export const selectLatePruning = sql`
  select audit_events.id from latchkey.audit_events
  where audit_events.event = 'audit.prune' and audit_events.at > latchkey.clock() - interval '1 hour'
  limit 1`;

/**
 * Removes so many of the events that are older than this, the oldest first, and records that, as the service's own
 * doing: by the one function that may. `removed`: how many they were.
 */
export function pruneEvents(seconds: number, most: number): Sql {
  const id = uuid();
  return sql`
  select latchkey.forget_audit_events(
    latchkey.clock() - ${interval(seconds)}::interval, ${most}::integer, ${id}::uuid
  ) as removed`.withAuditEvent({ id, event: 'audit.prune' });
}
