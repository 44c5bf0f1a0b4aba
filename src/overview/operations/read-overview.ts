import {
  countSignInEvents,
  hasEventsBetween,
  type SignInEvent,
  type SignInEventsRow,
  selectActiveUserIds,
} from '../../audit/store/sign-ins.ts';
import type { Runtime } from '../../core/runtime.ts';
import { sql } from '../../db/sql.ts';
import { milliseconds, rfc3339 } from '../../db/timestamp.ts';
import type { Entitled } from '../../roles/entitled.ts';
import {
  type AttentionKind,
  attentionKinds,
  type CountedMethod,
  countedMethods,
  type ServiceOverview,
  type SignInCounts,
} from '../overview.ts';
import { daysIn, fullHour, type OverviewPeriod, overviewRange, tailStart } from '../rules.ts';
import {
  countFurtherUsers,
  type SignInHoursRow,
  type StandingRow,
  selectStanding,
  sumActiveUsers,
  sumSignInHours,
  type UserFigures,
} from '../store.ts';
import { accountBatch, type CountedUsers, countUsers } from './count-users.ts';

const methodOf: Record<SignInEvent, CountedMethod> = {
  'passkey.login': 'passkey',
  'password.login': 'password',
  'recovery_code.use': 'recovery_code',
  'recovery_link.use': 'recovery_link',
};

const textOf = (time: number) => new Date(time).toISOString();

/**
 * Returns the figures of the whole service. The figures are about all users, without names.
 */
export async function readOverview(
  runtime: Runtime,
  _by: Entitled<'overview:read'>,
  { period, timeZone }: { period: OverviewPeriod; timeZone: string },
): Promise<ServiceOverview> {
  const [standing] = await runtime.db.query<StandingRow>(selectStanding);
  if (!standing) throw new Error('the end of the counted hours is missing');
  const now = milliseconds(standing.now);
  const countedUntil = standing.until === null ? null : milliseconds(standing.until);
  const range = overviewRange(period, now, timeZone);
  const tail = tailStart(countedUntil, now);

  const [{ buckets, methods }, { activeUsers, isComplete }, { at, figures }] = await Promise.all([
    readSignIns(runtime, [range.previousStart, ...range.starts], { tail, now }),
    readActiveUsers(runtime, range, { tail, now, countedUntil: countedUntil ?? 0 }),
    usersOf(runtime, standing),
  ]);
  const [previous = nothing(), ...shown] = buckets;
  return {
    period,
    timeZone,
    from: textOf(range.starts[0] ?? now),
    to: textOf(now),
    previousFrom: textOf(range.previousStart),
    isComplete,
    signIns: {
      ...sumOf(shown),
      previous,
      methods: countedMethods.map((method) => ({ method, ...(methods.get(method) ?? nothing()) })),
      buckets: range.starts.map((start, index) => ({ start: textOf(start), ...(shown[index] ?? nothing()) })),
    },
    activeUsers,
    users: {
      asOf: at,
      total: figures.total,
      disabled: figures.disabled,
      created: createdIn(period, figures),
      withPasskey: figures.withPasskey,
      withTwoPasskeys: figures.withTwoPasskeys,
      withRecoveryCodes: figures.withRecoveryCodes,
      withOnlyPassword: figures.withOnlyPassword,
    },
    pendingInvitations: {
      admin: figures.adminInvitations,
      user: figures.userInvitations,
      organization: figures.organizationInvitations,
    },
    attention: attentionOf(figures),
  };
}

const nothing = (): SignInCounts => ({ signIns: 0, refusals: 0 });

const sumOf = (all: readonly SignInCounts[]): SignInCounts => all.reduce(plus, nothing());

const plus = (a: SignInCounts, b: SignInCounts): SignInCounts => ({
  signIns: a.signIns + b.signIns,
  refusals: a.refusals + b.refusals,
});

/** Returns the counts of each bucket. The counts of each method omit the first bucket, which is the previous period. */
async function readSignIns(
  { db }: Runtime,
  times: readonly number[],
  { tail, now }: Pick<Times, 'tail' | 'now'>,
) {
  const hours = times.map(fullHour);
  const starts = hours.map(textOf).join();
  const from = hours[0] ?? tail;
  const [counted, recent] = await Promise.all([
    db.query<SignInHoursRow>(sumSignInHours(starts, textOf(from), textOf(tail))),
    db.query<SignInEventsRow>(countSignInEvents(starts, textOf(Math.max(from, tail)), textOf(now + 1))),
  ]);
  const buckets = times.map(nothing);
  const methods = new Map<CountedMethod, SignInCounts>();
  for (const row of [...counted, ...recent]) {
    const method = 'method' in row ? row.method : methodOf[row.event];
    const counts = { signIns: Number(row.sign_ins), refusals: Number(row.refusals) };
    const index = row.bucket - 1;
    buckets[index] = plus(buckets[index] ?? nothing(), counts);
    if (index > 0) methods.set(method, plus(methods.get(method) ?? nothing(), counts));
  }
  return { buckets, methods };
}

interface Times {
  tail: number;
  now: number;
  countedUntil: number;
}

async function readActiveUsers(
  { db }: Runtime,
  { previousStart, active }: ReturnType<typeof overviewRange>,
  { tail, now, countedUntil }: Times,
) {
  const end = now + 1;
  const countBetween = (from: number, to: number) => sql`
    ${sumActiveUsers(active.unit, textOf(from), textOf(to))}
    + ${countFurtherUsers(selectActiveUserIds(textOf(Math.max(from, tail)), textOf(to)), textOf(from))}`;
  const earliest = Math.max(Math.min(previousStart, active.previousStart), countedUntil);
  const [row] = await db.query<{ present: string; previous: string; lacks_events: boolean }>(sql`
    select
      ${countBetween(active.start, end)} as present,
      ${countBetween(active.previousStart, active.start)} as previous,
      ${hasEventsBetween(textOf(earliest), textOf(tail))} as lacks_events`);
  return {
    activeUsers: { count: Number(row?.present), previous: Number(row?.previous) },
    isComplete: row?.lacks_events === false,
  };
}

/** Counts the accounts now. If there is more than one batch, returns the last counts of housekeeping, if any. */
async function usersOf(
  runtime: Runtime,
  { figures, figures_at: at }: StandingRow,
): Promise<Pick<CountedUsers, 'at' | 'figures'>> {
  const stored = figures !== null && at !== null ? { at: rfc3339(at), figures } : null;
  if (stored && stored.figures.total > accountBatch) return stored;
  const counted = (await countUsers(runtime, stored ? (batches) => batches < 1 : undefined)) ?? stored;
  if (!counted) throw new Error('the accounts were not counted');
  return counted;
}

function createdIn(period: OverviewPeriod, figures: UserFigures): { count: number; previous: number } {
  const days = daysIn[period] as 1 | 7 | 30 | 90;
  const count = figures[`created${days}`];
  const both = figures[`created${(2 * days) as 2 | 14 | 60 | 180}`];
  return { count, previous: both - count };
}

function attentionOf(figures: UserFigures): ServiceOverview['attention'] {
  const counts: Record<AttentionKind, number> = {
    only_superadmin: figures.superadmins === 1 ? 1 : 0,
    superadmins_with_fewer_than_two_passkeys: figures.superadminsWithoutTwoPasskeys,
    superadmins_without_recovery_codes: figures.superadminsWithoutCodes,
    admins_without_passkey: figures.adminsWithoutPasskey,
    users_without_way_in: figures.withoutWayIn,
    users_without_passkey: figures.withoutPasskey,
  };
  return attentionKinds.map((kind) => ({ kind, count: counts[kind] })).filter(({ count }) => count > 0);
}
