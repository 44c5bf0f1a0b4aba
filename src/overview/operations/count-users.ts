import type { Runtime } from '../../core/runtime.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import { countPendingFor } from '../../invitations/store.ts';
import { countAllPending } from '../../organizations/invitations/store.ts';
import { countPasskeysOf } from '../../passkeys/store/figures.ts';
import { selectUsersWithCodes } from '../../recovery/store.ts';
import { selectAccountsToCount } from '../../users/store/figures.ts';
import type { UserFigures } from '../store.ts';

const has = {
  passkey: sql`holders.passkeys >= 1`,
  noPasskey: sql`holders.passkeys is null`,
  twoPasskeys: sql`holders.passkeys >= 2`,
  codes: sql`coded.user_id is not null`,
  noCodes: sql`coded.user_id is null`,
  password: sql`accounts.has_password`,
  noPassword: sql`not accounts.has_password`,
} as const;

const enabled = (...conditions: Sql[]): Sql =>
  conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`accounts.is_enabled`);
const role = (name: 'admin' | 'superadmin'): Sql => sql`accounts.role = ${raw(`'${name}'`)}`;
const createdWithin = (days: number): Sql =>
  sql`accounts.created_at > latchkey.clock() - interval ${raw(`'${days * 24} hours'`)}`;

/** The condition of each count of accounts. */
const conditions = {
  total: sql`true`,
  disabled: sql`not accounts.is_enabled`,
  created1: createdWithin(1),
  created2: createdWithin(2),
  created7: createdWithin(7),
  created14: createdWithin(14),
  created30: createdWithin(30),
  created60: createdWithin(60),
  created90: createdWithin(90),
  created180: createdWithin(180),
  withPasskey: enabled(has.passkey),
  withTwoPasskeys: enabled(has.twoPasskeys),
  withRecoveryCodes: enabled(has.codes),
  withOnlyPassword: enabled(has.noPasskey, has.password),
  withoutPasskey: enabled(has.noPasskey),
  withoutWayIn: enabled(has.noPasskey, has.noPassword, has.noCodes),
  superadmins: enabled(role('superadmin')),
  superadminsWithoutTwoPasskeys: enabled(role('superadmin'), sql`coalesce(holders.passkeys, 0) < 2`),
  superadminsWithoutCodes: enabled(role('superadmin'), has.noCodes),
  adminsWithoutPasskey: enabled(role('admin'), has.noPasskey),
} as const satisfies Partial<Record<keyof UserFigures, Sql>>;

const columns = Object.entries(conditions)
  .map(([name, condition]) => sql`sum(case when ${condition} then 1 else 0 end) as ${raw(`"${name}"`)}`)
  .reduce((all, column) => sql`${all}, ${column}`);

/** How many accounts one statement counts. A statement for a million accounts can exceed the statement timeout. */
export const accountBatch = 20_000;

const countAccounts = (after: string): Sql => sql`
  with accounts as (${selectAccountsToCount(after, accountBatch)}),
    holders as (${countPasskeysOf(sql`select accounts.id from accounts`, after)}),
    coded as (${selectUsersWithCodes(sql`select accounts.id from accounts`, after)})
  select latchkey.clock() as at, max(accounts.id::text) as last, ${columns}
  from accounts
  left join holders on holders.user_id = accounts.id
  left join coded on coded.user_id = accounts.id`;

const countInvitations = sql`
  select (${countPendingFor('admin')}) as "adminInvitations", (${countPendingFor('user')}) as "userInvitations",
    (${countAllPending}) as "organizationInvitations"`;

export interface CountedUsers {
  /** The time of the first statement. RFC 3339. */
  at: string;
  figures: UserFigures;
}

type Counts = Record<keyof UserFigures, string | null>;
type CountedBatch = { at: Timestamp; last: string | null } & Counts;

const beforeFirst = '00000000-0000-0000-0000-000000000000';

/**
 * Counts the accounts and the pending invitations.
 *
 * @param mayContinue returns whether to count another batch. If it returns false, the result is null.
 */
export async function countUsers(
  { db }: Runtime,
  mayContinue: (batches: number) => boolean = () => true,
): Promise<CountedUsers | null> {
  const [invitations] = await db.query<Counts>(countInvitations);
  const sums = new Map<string, number>();
  let at: string | undefined;
  let after: string | null = beforeFirst;
  for (let batches = 0; after !== null; batches += 1) {
    if (!mayContinue(batches)) return null;
    const [row]: CountedBatch[] = await db.query<CountedBatch>(countAccounts(after));
    if (!row) throw new Error('the statement returned no row');
    const { at: time, last, ...counts }: CountedBatch = row;
    at ??= rfc3339(time);
    for (const [name, count] of Object.entries({ ...counts, ...(batches === 0 && invitations) }))
      sums.set(name, (sums.get(name) ?? 0) + Number(count));
    after = Number(counts.total) < accountBatch ? null : last;
  }
  return { at: at ?? '', figures: Object.fromEntries(sums) as unknown as UserFigures };
}
