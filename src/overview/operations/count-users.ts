import type { Runtime } from '../../core/runtime.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import { countPendingFor } from '../../invitations/store.ts';
import { countAllPending } from '../../organizations/invitations/store.ts';
import { countPasskeysByUser } from '../../passkeys/store/figures.ts';
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

/** Reads all accounts. At a million users, this takes about a second. */
const countAccounts = sql`
  with accounts as (${selectAccountsToCount}),
    holders as (${countPasskeysByUser}),
    coded as (${selectUsersWithCodes})
  select latchkey.clock() as at, ${columns},
    (${countPendingFor('admin')}) as "adminInvitations",
    (${countPendingFor('user')}) as "userInvitations",
    (${countAllPending}) as "organizationInvitations"
  from accounts
  left join holders on holders.user_id = accounts.id
  left join coded on coded.user_id = accounts.id`;

/** Counts the accounts and the pending invitations. */
export async function countUsers({ db }: Runtime): Promise<{ at: string; figures: UserFigures }> {
  const [row] = await db.query<{ at: Timestamp } & Record<keyof UserFigures, string | null>>(countAccounts);
  if (!row) throw new Error('the statement returned no row');
  const { at, ...counts } = row;
  const figures = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, Number(count)]),
  ) as unknown as UserFigures;
  return { at: rfc3339(at), figures };
}
