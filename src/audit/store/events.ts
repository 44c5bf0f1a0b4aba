import { join, raw, type Sql, sql } from '../../db/sql.ts';
import type { Timestamp } from '../../db/timestamp.ts';
import type { AuditEventName, AuditOutcome } from '../event-names.ts';

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
  impersonator_type: 'user' | 'operator' | null;
  impersonator_id: string | null;
  impersonator_name: string | null;
  details: Record<string, string | number | boolean | null>;
  /** Null: 1. */
  count: number | null;
}

export interface AuditFilter {
  events?: readonly AuditEventName[] | undefined;
  outcome?: AuditOutcome | undefined;
  actorId?: string | undefined;
  /** The superadmin who acted as another user. */
  impersonatorId?: string | undefined;
  targetId?: string | undefined;
  organizationId?: string | undefined;
  /** RFC 3339, inclusive. */
  from?: string | undefined;
  /** RFC 3339, exclusive. */
  to?: string | undefined;
}

/** A range of the audit log, in order of time. */
export interface AuditRange {
  order: 'newest_first' | 'oldest_first';
  /** The id of the event before the range. */
  after?: string | undefined;
  /** The id of the last event in the range. */
  upTo?: string | undefined;
  limit: number;
}

const columnsWithoutOrigin = sql`
  audit_events.id, audit_events.at, audit_events.event, audit_events.outcome, audit_events.actor_type,
  audit_events.actor_id, audit_events.actor_name, audit_events.target_type, audit_events.target_id,
  audit_events.target_name, audit_events.organization_id, audit_events.impersonator_type,
  audit_events.impersonator_id, audit_events.impersonator_name, audit_events.details, audit_events.count`;

export const columns = sql`
  ${columnsWithoutOrigin}, audit_events.ip, audit_events.user_agent, audit_events.request_id`;

export const selectEvents = (filter: AuditFilter, range: AuditRange): Sql => sql`
  select ${columns} from latchkey.audit_events
  where ${join(conditionsOf(filter, range), ' and ')}
  ${inOrder(range)}`;

export const selectEvent = (id: string): Sql => sql`
  select ${columns} from latchkey.audit_events where audit_events.id = ${id}::uuid`;

/**
 * Selects the events in which a user acted, and the events about the user. Reads one page of each, with its index.
 *
 * @param hiddenReasons refused attempts of the user that are left out
 */
export const selectEventsOfUser = (
  userId: string,
  filter: AuditFilter,
  range: AuditRange,
  hiddenReasons: readonly string[],
): Sql => sql`
  select ${columns} from latchkey.audit_events
  where audit_events.id in (
    select acted.id from (
      ${selectIds([...conditionsOf({ ...filter, actorId: userId }, range), otherReason(hiddenReasons)], range)}
    ) as acted
    union
    select concerned.id from (
      ${selectIds(conditionsOf({ ...filter, targetId: userId }, range), range)}
    ) as concerned
  )
  ${inOrder(range)}`;

const selectIds = (conditions: readonly Sql[], range: AuditRange): Sql => sql`
  select audit_events.id from latchkey.audit_events
  where ${join([...conditions], ' and ')}
  ${inOrder(range)}`;

const otherReason = (reasons: readonly string[]): Sql => sql`
  coalesce(audit_events.details ->> 'reason', '') not in (${join(reasons.map((reason) => sql`${reason}::text`))})`;

/**
 * Returns an SQL expression for the last time when the account of another user released this username. Events with the
 * username before that time are not about the user who has the username now. If no account released the username, the
 * time is the start of 1970.
 */
export const usernameFreeSince = (username: string, userId: string): Sql => sql`
  coalesce(
    (
      select max(released.at) from latchkey.audit_events as released
      where released.event = 'user.release_username' and released.target_name = ${username}::text
        and released.target_id <> ${userId}::text
    ),
    '1970-01-01T00:00:00Z'::timestamptz
  )`;

/** Selects the events that contain a user's username without the user's id: refused requests, and invitations. */
export const selectEventsNaming = (username: string, userId: string, range: AuditRange): Sql => sql`
  select ${columns} from latchkey.audit_events
  where audit_events.target_name = ${username}::text
    and (audit_events.target_id is null or audit_events.target_type = 'invitation')
    and audit_events.at > ${usernameFreeSince(username, userId)}
    and ${join(conditionsOf({}, range), ' and ')}
  ${inOrder(range)}`;

/** The part of the audit log that an admin can read. */
export interface AuditScope {
  /** A `select` of one column: the ids of the organizations whose events the admin can read. */
  organizationIds: Sql;
  /** Returns the condition that the user is a member of the organization now, and joined after the time. */
  hasJoinedAfter(organizationId: Sql, userId: Sql, time: Sql): Sql;
  /** Returns the condition that the user is a member of the organization now. */
  isMember(organizationId: Sql, userId: Sql): Sql;
}

export const selectEventsWithin = (scope: AuditScope, filter: AuditFilter, range: AuditRange): Sql => {
  const { actorId, impersonatorId, targetId, organizationId } = filter;
  const isNarrow = (actorId ?? impersonatorId ?? targetId ?? organizationId) !== undefined;
  return (isNarrow ? selectNarrowWithin : selectMergedWithin)(scope, filter, range);
};

/** Finds the events of one actor, target or organization. Uses the index on that column, then applies the scope. */
const selectNarrowWithin = (scope: AuditScope, filter: AuditFilter, range: AuditRange): Sql => {
  // Without `is true`, PostgreSQL starts from the organizations and reads all their events.
  const inScope = sql`(audit_events.organization_id in (${scope.organizationIds})) is true`;
  return selectVisible(scope, inScope, filter, range);
};

/**
 * Uses the index on organization and time to read one page for each organization, and merges all pages into one. The
 * cost grows with the number of organizations, not with the size of the log.
 */
const selectMergedWithin = (scope: AuditScope, filter: AuditFilter, range: AuditRange): Sql => sql`
  select ${columns}
  from (${scope.organizationIds}) as known (id)
  cross join lateral (
    ${selectVisible(scope, sql`audit_events.organization_id = known.id`, filter, range)}
  ) as audit_events
  ${inOrder(range)}`;

/**
 * Finds the ids of matching events. Most filters need only the index for this. Then reads the rows of these events one
 * by one, until the page is full.
 */
const selectVisible = (scope: AuditScope, inScope: Sql, filter: AuditFilter, range: AuditRange): Sql => sql`
  select ${columnsWithoutOrigin}, ${originOfMembers(scope)}
  from (
    select audit_events.at, audit_events.id from latchkey.audit_events
    where ${inScope} and ${join(conditionsOf(filter, range), ' and ')}
    order by ${directionOf(range, 'audit_events.')}
  ) as found
  join latchkey.audit_events on audit_events.id = found.id
  where ${isSinceJoining(scope)}
  order by ${directionOf(range, 'found.')}
  limit ${range.limit}::integer`;

/**
 * Selects the IP address, the browser and the request id of an event if the event's actor is a member of the
 * organization now. Otherwise selects null for all three. An organization admin can invite any user by username. If the
 * invited user declines, the event must not reveal this user's IP address. In an impersonated session, all three belong
 * to the impersonator and not to the member, so they are also null.
 */
const originOfMembers = ({ isMember }: AuditScope): Sql => {
  const ofMember = (column: Sql, name: string) =>
    sql`case when audit_events.impersonator_type is null and ${isMember(sql`audit_events.organization_id`, sql`audit_events.actor_id`)} then ${column} end as ${raw(name)}`;
  return join([
    ofMember(sql`audit_events.ip`, 'ip'),
    ofMember(sql`audit_events.user_agent`, 'user_agent'),
    ofMember(sql`audit_events.request_id`, 'request_id'),
  ]);
};

/** Hides an event if the actor or the target is a member of the organization now, but joined after the event. */
const isSinceJoining = ({ hasJoinedAfter }: AuditScope): Sql => {
  const hides = (userId: Sql) =>
    hasJoinedAfter(sql`audit_events.organization_id`, userId, sql`audit_events.at`);
  // Uses `is false`, because PostgreSQL can turn a `not exists` into a join that reads every event first.
  return sql`${hides(sql`audit_events.actor_id`)} is false and ${hides(targetUserId)} is false`;
};

/** Targets that are not users can have ids that are not UUIDs. A `case` checks the type before it casts the id. */
const targetUserId = sql`case when audit_events.target_type = 'user' then audit_events.target_id::uuid end`;

function conditionsOf(filter: AuditFilter, { order, after, upTo }: AuditRange): Sql[] {
  const { events, outcome, actorId, impersonatorId, targetId, organizationId, from, to } = filter;
  const conditions = [sql`true`];
  if (events !== undefined)
    conditions.push(sql`audit_events.event in (${join(events.map((event) => sql`${event}::text`))})`);
  if (outcome !== undefined) conditions.push(sql`audit_events.outcome = ${outcome}::text`);
  if (actorId !== undefined) conditions.push(sql`audit_events.actor_id = ${actorId}::uuid`);
  if (impersonatorId !== undefined)
    conditions.push(sql`audit_events.impersonator_id = ${impersonatorId}::uuid`);
  if (targetId !== undefined) conditions.push(sql`audit_events.target_id = ${targetId}::text`);
  if (organizationId !== undefined)
    conditions.push(sql`audit_events.organization_id = ${organizationId}::uuid`);
  if (from !== undefined) conditions.push(sql`audit_events.at >= ${from}::text::timestamptz`);
  if (to !== undefined) conditions.push(sql`audit_events.at < ${to}::text::timestamptz`);
  if (after !== undefined) conditions.push(beyond(order === 'newest_first' ? '<' : '>', after));
  if (upTo !== undefined) conditions.push(beyond(order === 'newest_first' ? '>' : '<', upTo, true));
  return conditions;
}

/**
 * Returns the condition that an event comes before or after another event, by time and then by id. The statement
 * selects the time of the other event, because the database has microseconds and JavaScript has only milliseconds.
 */
function beyond(comparison: '<' | '>', id: string, inclusive = false): Sql {
  const at = sql`(select place.at from latchkey.audit_events as place where place.id = ${id}::uuid)`;
  const side = raw(comparison);
  // Without the first condition, PostgreSQL does not use the index on the time.
  return sql`
    audit_events.at ${side}= ${at}
    and (audit_events.at ${side} ${at} or audit_events.id ${raw(inclusive ? `${comparison}=` : comparison)} ${id}::uuid)`;
}

const inOrder = (range: AuditRange): Sql => sql`
  order by ${directionOf(range, 'audit_events.')}
  limit ${range.limit}::integer`;

const directionOf = ({ order }: AuditRange, prefix = ''): Sql =>
  raw(order === 'newest_first' ? `${prefix}at desc, ${prefix}id desc` : `${prefix}at, ${prefix}id`);

/** Selects the events that have one of these ids. */
export const selectEventsById = (ids: readonly string[]): Sql => sql`
  select ${columns} from latchkey.audit_events
  where audit_events.id in (${join(ids.map((id) => sql`${id}::uuid`))})`;

export const selectEventId = (id: string): Sql => sql`
  select audit_events.id from latchkey.audit_events where audit_events.id = ${id}::uuid`;
