import { type Sql, sql, textArray } from '../../db/sql.ts';
import type { ImportedAccount } from '../imported-account.ts';

/**
 * Inserts accounts, in the order of their usernames. If two imports inserted the same usernames in different orders,
 * each could wait for the other. `username_since` is the current time, not `created_at`, because earlier events with
 * the username are not about this account.
 *
 * @param lookAlikes as in `NewUser`
 */
export const insertImportedAccounts = (
  accounts: readonly ImportedAccount[],
  lookAlikes: 'allow' | 'refuse',
): Sql => sql`
  insert into latchkey.users
    (id, username, skeleton, display_name, user_handle, role, status, password_hash, fields, created_at, username_since)
  select given.id, given.username,
    ${lookAlikes === 'refuse' ? sql`given.skeleton` : freeSkeletonOfGiven},
    given.display_name, given.user_handle, given.role, given.status, given.password_hash, given.fields,
    coalesce(given.created_at, latchkey.clock()), latchkey.clock()
  from jsonb_to_recordset(${JSON.stringify(accounts)}::text::jsonb) as given (
    id uuid, username text, skeleton text, display_name text, user_handle text, role text, status text,
    password_hash text, fields jsonb, created_at timestamptz)
  order by given.username
  returning id`;

const freeSkeletonOfGiven = sql`
  case when not exists (select 1 from latchkey.users as others where others.skeleton = given.skeleton)
    then given.skeleton end`;

/** A value that an account has or had, so that no other account can have it. */
export interface TakenRow {
  kind: 'username' | 'skeleton' | 'user_handle' | 'credential_id';
  value: string;
}

/** Selects which of these values other accounts have or had. Includes deleted and erased accounts. */
export const selectTakenNames = (given: {
  usernames: readonly string[];
  skeletons: readonly string[];
  userHandles: readonly string[];
}): Sql => sql`
  select 'username' as kind, users.username as value from latchkey.users
  where users.username = any(${textArray(given.usernames)})
  union all
  select 'username', held_usernames.username from latchkey.held_usernames
  where held_usernames.username = any(${textArray(given.usernames)})
  union all
  select 'username', given.username from unnest(${textArray(given.usernames)}) as given (username)
  where exists (
    select 1 from latchkey.erased_usernames
    where erased_usernames.digest = latchkey.username_digest(given.username)
  )
  union all
  select 'skeleton', users.skeleton from latchkey.users where users.skeleton = any(${textArray(given.skeletons)})
  union all
  select 'skeleton', held_usernames.skeleton from latchkey.held_usernames
  where held_usernames.skeleton = any(${textArray(given.skeletons)})
  union all
  select 'user_handle', users.user_handle from latchkey.users
  where users.user_handle = any(${textArray(given.userHandles)})`;
