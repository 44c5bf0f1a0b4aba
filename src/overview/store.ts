import { type Sql, sql } from '../db/sql.ts';
import type { Timestamp } from '../db/timestamp.ts';
import type { CountedMethod } from './overview.ts';

/** The counts of accounts, as the database stores them. */
export interface UserFigures {
  total: number;
  disabled: number;
  /** Accounts created within this number of days. */
  created1: number;
  created2: number;
  created7: number;
  created14: number;
  created30: number;
  created60: number;
  created90: number;
  created180: number;
  withPasskey: number;
  withTwoPasskeys: number;
  withRecoveryCodes: number;
  withOnlyPassword: number;
  withoutPasskey: number;
  withoutWayIn: number;
  superadmins: number;
  superadminsWithoutTwoPasskeys: number;
  superadminsWithoutCodes: number;
  adminsWithoutPasskey: number;
  adminInvitations: number;
  userInvitations: number;
  organizationInvitations: number;
}

export interface StandingRow {
  now: Timestamp;
  until: Timestamp | null;
  figures_at: Timestamp | null;
  figures: UserFigures | null;
}

/** Selects the time, the end of the last counted hour, and the last counts of accounts. */
export const selectStanding = sql`
  select latchkey.clock() as now, counted_sign_ins.until, user_figures.at as figures_at, user_figures.figures
  from latchkey.counted_sign_ins left join latchkey.user_figures on user_figures.one = counted_sign_ins.one`;

export interface SignInHoursRow {
  bucket: number;
  method: CountedMethod;
  sign_ins: string;
  refusals: string;
}

/** Sums the counted hours. @param starts as in `countSignInEvents` */
export const sumSignInHours = (starts: string, from: string, until: string): Sql => sql`
  select found.bucket, found.method, sum(found.sign_ins) as sign_ins, sum(found.refusals) as refusals
  from (
    select
      width_bucket(sign_in_hours.hour, string_to_array(${starts}::text, ',')::timestamptz[]) as bucket,
      sign_in_hours.method, sign_in_hours.sign_ins, sign_in_hours.refusals
    from latchkey.sign_in_hours
    where sign_in_hours.hour >= ${from}::text::timestamptz and sign_in_hours.hour < ${until}::text::timestamptz
  ) as found
  group by found.bucket, found.method`;

/** An SQL expression: the number of different users in the counted hours or days of a range of time. */
export const sumActiveUsers = (unit: 'hour' | 'day', from: string, to: string): Sql => sql`
  coalesce(
    (
      select sum(active_user_counts.users) from latchkey.active_user_counts
      where active_user_counts.unit = ${unit}::text
        and active_user_counts.start >= ${from}::text::timestamptz
        and active_user_counts.start < ${to}::text::timestamptz
        and active_user_counts.previous < ${from}::text::timestamptz
    ),
    0
  )`;

/**
 * The last counted hour in which the user was active. With a join, PostgreSQL would read all rows of the table.
 */
export const lastActiveHour = sql`coalesce(
      (
        select last_active_hours.hour from latchkey.last_active_hours
        where last_active_hours.user_id = recent.user_id
      ),
      '-infinity'::timestamptz
    )`;

/**
 * An SQL expression: the number of different users in `users` whom `sumActiveUsers` does not count.
 *
 * @param users a statement that selects a `user_id`
 */
export const countFurtherUsers = (users: Sql, from: string): Sql => sql`
  (
    select count(distinct recent.user_id) from (${users}) as recent
    where ${lastActiveHour} < ${from}::text::timestamptz
  )`;

/** Counts up to `most` hours. Returns the number of hours as `counted` (see migration 25). */
export const countSignInHours = (most: number): Sql => sql`
  select latchkey.count_sign_ins(${most}::integer) as counted`;

/** Selects a row if the accounts were counted within the last hour. */
export const selectRecentFigures = sql`
  select user_figures.at from latchkey.user_figures
  where user_figures.at > latchkey.clock() - interval '1 hour' and user_figures.at <= latchkey.clock()`;

export const saveFigures = (at: string, figures: UserFigures): Sql => sql`
  insert into latchkey.user_figures (one, at, figures)
  values (true, ${at}::text::timestamptz, ${JSON.stringify(figures)}::text::jsonb)
  on conflict (one) do update set at = excluded.at, figures = excluded.figures`;
