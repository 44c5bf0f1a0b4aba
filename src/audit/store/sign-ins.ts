import { join, type Sql, sql } from '../../db/sql.ts';
import type { AuditEventName } from '../event-names.ts';

/** The events that count as sign-ins (success) and as refused sign-ins (failure), as in migration 25. */
const signInEvents = [
  'passkey.login',
  'password.login',
  'recovery_code.use',
  'recovery_link.use',
] as const satisfies readonly AuditEventName[];

export type SignInEvent = (typeof signInEvents)[number];

/** The events that make a user an active user, as in migration 25. */
const activeEvents = [
  ...signInEvents,
  'account.signup',
  'invitation.accept',
] as const satisfies readonly AuditEventName[];

const listOf = (events: readonly AuditEventName[]) => join(events.map((event) => sql`${event}::text`));

export interface SignInEventsRow {
  /** The number of the last start that is not after the events. The first start has the number 1. */
  bucket: number;
  event: SignInEvent;
  sign_ins: string;
  refusals: string;
}

/**
 * Counts sign-ins and refusals. Because the range has a start and an end, PostgreSQL expects few events and uses the
 * index.
 *
 * @param starts RFC 3339 times, ascending, separated by commas
 */
export const countSignInEvents = (starts: string, from: string, to: string): Sql => sql`
  select
    found.bucket, found.event, sum(case when found.outcome = 'success' then 1 else 0 end) as sign_ins,
    sum(case when found.outcome = 'failure' then found.times else 0 end) as refusals
  from (
    select
      width_bucket(audit_events.at, string_to_array(${starts}::text, ',')::timestamptz[]) as bucket,
      audit_events.event, audit_events.outcome, coalesce(audit_events.count, 1) as times
    from latchkey.audit_events
    where audit_events.event in (${listOf(signInEvents)})
      and audit_events.at >= ${from}::text::timestamptz and audit_events.at < ${to}::text::timestamptz
  ) as found
  group by found.bucket, found.event`;

/** Selects the ids of users who signed in or signed up in a range of time. An id can occur several times. */
export const selectActiveUserIds = (from: string, to: string): Sql => sql`
  select audit_events.actor_id as user_id from latchkey.audit_events
  where audit_events.event in (${listOf(activeEvents)}) and audit_events.outcome = 'success'
    and audit_events.at >= ${from}::text::timestamptz and audit_events.at < ${to}::text::timestamptz`;

/** Whether the audit log has an event in a range of time. */
export const hasEventsBetween = (from: string, to: string): Sql => sql`
  exists (
    select 1 from latchkey.audit_events
    where audit_events.at >= ${from}::text::timestamptz and audit_events.at < ${to}::text::timestamptz
  )`;
