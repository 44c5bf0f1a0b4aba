import { highestRole, type NamedUser, type Role, type User, type UserStatus } from '../core/user.ts';
import type { StoredFields } from '../core/user-fields.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { violatesNotNull } from '../db/sql-states.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import { skeletonOf } from './look-alikes.ts';
import type { UsernameLookup } from './username-lookup.ts';

/** The columns of a user, for a statement that joins `latchkey.users`. */
export const userColumns = sql`
  users.id as user_id, users.username, users.display_name, users.role, users.status,
  users.created_at as user_created_at`;

export interface UserRow {
  user_id: string;
  username: string;
  display_name: string | null;
  role: Role;
  status: UserStatus;
  user_created_at: Timestamp;
}

export const userFromRow = (row: UserRow): User => ({
  id: row.user_id,
  username: row.username,
  displayName: row.display_name,
  role: row.role,
  status: row.status,
  createdAt: rfc3339(row.user_created_at),
});

/** The column with the own fields. Not in `userColumns`, so that lists of users and audit events do not contain it. */
export interface FieldsRow {
  fields: StoredFields;
}

export interface NewUser {
  id: string;
  username: string;
  displayName: string | null;
  /** From `newUserHandle`. */
  userHandle: string;
  role?: Role;
  passwordHash?: string | null;
  fields?: StoredFields;
  /** When the user signed up in another system: RFC 3339. Null: now. */
  createdAt?: string | null;
  /** `refuse`: violates the unique index on `skeleton` if the username looks like the username of another account. */
  lookAlikes?: 'allow' | 'refuse';
  /**
   * The name of an earlier CTE. If it returns no row, the whole statement fails, because the id of the account is null
   * (`violatesNotNull`). So no part of the statement is stored, not even the statement of `signUp.after`, which does
   * not depend on the other CTEs.
   */
  requires?: string | undefined;
}

export const insertUser = ({
  id,
  username,
  displayName,
  userHandle,
  role = 'user',
  passwordHash = null,
  fields = {},
  createdAt = null,
  lookAlikes = 'allow',
  requires,
}: NewUser): Sql => sql`
  insert into latchkey.users
    (id, username, skeleton, display_name, user_handle, role, password_hash, fields, created_at
    ${createdAt === null ? sql`` : sql`, username_since`})
  select
    ${requires === undefined ? sql`${id}::uuid` : sql`case when exists (select 1 from ${raw(requires)}) then ${id}::uuid end`},
    ${username}::text,
    ${lookAlikes === 'refuse' ? sql`${skeletonOf(username)}::text` : freeSkeleton(id, username)},
    ${displayName}::text, ${userHandle}::text, ${role}::text, ${passwordHash}::text,
    ${JSON.stringify(fields)}::text::jsonb,
    ${createdAt === null ? sql`latchkey.clock()` : sql`${createdAt}::text::timestamptz, latchkey.clock()`}
  returning ${userColumns}`;

/** Whether a statement failed because the CTE that `NewUser.requires` names returned no row. */
export const lacksRequired = (error: unknown): boolean => violatesNotNull(error, 'users', 'id');

/**
 * An SQL expression: the skeleton of a username, or null if another account has this skeleton. If a concurrent statement
 * gives the skeleton to another account, the statement violates the unique index on `skeleton`.
 */
export const freeSkeleton = (ownId: string, username: string): Sql => sql`
  case when not exists (
    select 1 from latchkey.users as others
    where others.skeleton = ${skeletonOf(username)}::text and others.id <> ${ownId}::uuid
  ) then ${skeletonOf(username)}::text end`;

/** Adds a row if an erased user had this username. The database has only a digest of it. */
const orErased = (username: string): Sql => sql`
  union all
  select ${username}::text from latchkey.erased_usernames
  where erased_usernames.digest = latchkey.username_digest(${username}::text)`;

/** An id that no account has (RFC 9562, 5.9). */
const noAccount = '00000000-0000-0000-0000-000000000000';

/**
 * Adds a row for each earlier username of an account, because such a username stays taken.
 *
 * @param condition a condition on `held_usernames`
 */
const orHeld = (condition: Sql, ownId: string | null): Sql => sql`
  union all
  select held_usernames.username from latchkey.held_usernames
  where (${condition}) and held_usernames.user_id <> ${ownId ?? noAccount}::uuid`;

/**
 * Selects the usernames that are equal to this canonical username or look like it, of accounts that have or had them.
 * Includes deleted and erased accounts.
 *
 * @param ownId the account whose usernames are not selected; null: none
 */
export const selectLookAlikes = (username: string, ownId: string | null): Sql => sql`
  select users.username from latchkey.users
  where (users.username = ${username}::text or users.skeleton = ${skeletonOf(username)}::text)
    and users.id <> ${ownId ?? noAccount}::uuid
  ${orHeld(
    sql`held_usernames.username = ${username}::text or held_usernames.skeleton = ${skeletonOf(username)}::text`,
    ownId,
  )}
  ${orErased(username)}`;

/** Selects a row if an account has or had this canonical username. Includes deleted and erased accounts. */
export const selectUsername = (username: string, ownId: string | null = null): Sql => sql`
  select users.username from latchkey.users
  where users.username = ${username}::text and users.id <> ${ownId ?? noAccount}::uuid
  ${orHeld(sql`held_usernames.username = ${username}::text`, ownId)}
  ${orErased(username)}`;

/** An SQL expression: the username if an account has it, otherwise null. Keeps the names of erased users out of the log. */
export const usernameOfAccount = (username: string | null): Sql => sql`
  (select users.username from latchkey.users where users.username = ${username}::text)`;

/** For other features: a statement selects from users and joins the table of the other feature. */
export const fromUsers = sql`from latchkey.users`;

/** Joins the user whose id is in a column of another feature's table. */
export const joinUser = (column: Sql): Sql => sql`join latchkey.users on users.id = ${column}`;

/** Like `joinUser`, but keeps rows whose column is null. */
export const leftJoinUser = (column: Sql): Sql => sql`left ${joinUser(column)}`;

/** Like `leftJoinUser`, under an alias, for a statement that joins two users. */
export const leftJoinUserAs = (alias: string, column: Sql): Sql =>
  sql`left join latchkey.users as ${raw(alias)} on ${raw(`${alias}.id`)} = ${column}`;

/**
 * The usernames of two joined users with the aliases `creator` and `acceptor`. Null: the account is deleted, or no user
 * was joined.
 */
export const creatorAndAcceptorNames = sql`
  case when creator.deleted_at is null then creator.username end as creator_name,
  case when acceptor.deleted_at is null then acceptor.username end as acceptor_name`;

export interface CreatorAndAcceptorRow {
  creator_name: string | null;
  acceptor_name: string | null;
}

export const namedUser = (id: string | null, username: string | null): NamedUser | null =>
  id !== null && username !== null ? { id, username } : null;

/**
 * Like `leftJoinUserAs`, but joins the user who has this user handle. Includes deleted users, because they keep their
 * user handle.
 */
export const leftJoinUserWithHandle = (alias: string, userHandle: string | null): Sql =>
  sql`left join latchkey.users as ${raw(alias)} on ${raw(`${alias}.user_handle`)} = ${userHandle}::text`;

/** The condition that the account is active. Only users with an active account can sign in. */
export const isActive = sql`users.status = 'active'`;

export const isInRole = (role: Role): Sql => sql`users.role = ${role}::text`;

/** The condition that the user has a passkey. PostgreSQL answers it from the index on `passkeys.user_id`. */
export const hasPasskey = sql`exists (
    select 1 from latchkey.passkey_holders as holders where holders.user_id = users.id)`;

/** The condition that the account is not deleted. A deleted account keeps its row, and its username until the release. */
export const isNotDeleted = sql`users.deleted_at is null`;

/**
 * The condition that a session is in the current epoch of its account. The epoch is a number that is copied to each new
 * session, so incrementing the account's epoch ends all sessions of the account.
 *
 * @param epoch the epoch column of the session
 */
export const isOfCurrentEpoch = (epoch: Sql): Sql => sql`${epoch} = users.session_epoch`;

/** An SQL expression: the epoch for a new session of the account. 0 if the same statement creates the account. */
export const currentEpoch = (userId: string): Sql => sql`
  coalesce((select users.session_epoch from latchkey.users where users.id = ${userId}::uuid), 0)`;

/**
 * Selects a user by id. The rules about credentials also need `has_password` and `version`. The version is a number
 * that increments when a credential, the role or the status of the account changes. A statement that claims a version
 * increments the number, but only if the number has not changed since it was read.
 */
export const selectUser = (userId: string): Sql => sql`
  select ${userColumns}, users.fields, users.version, users.password_hash is not null as has_password,
    case when users.status = 'disabled' then users.disabled_reason end as disabled_reason
  from latchkey.users where users.id = ${userId}::uuid and ${isNotDeleted}`;

/**
 * An SQL expression: the username of the account to find. An account with exactly the given username is preferred, even
 * if it is deleted.
 */
export const storedUsername = ({ exact, canonical }: UsernameLookup): Sql => sql`
  case when exists (select 1 from latchkey.users as exact where exact.username = ${exact}::text)
    then ${exact}::text else ${canonical}::text end`;

export const selectUserNamed = (lookup: UsernameLookup): Sql => sql`
  select ${userColumns} from latchkey.users where users.username = ${storedUsername(lookup)} and ${isNotDeleted}`;

/** Selects the account that has this username. Includes deleted accounts, but not erased accounts. */
export const selectUsernameHolder = (lookup: UsernameLookup): Sql => sql`
  select ${userColumns}, users.version, users.deleted_at is not null as deleted
  from latchkey.users where users.username = ${storedUsername(lookup)}`;

export const selectForPasswordLogin = (lookup: UsernameLookup): Sql => sql`
  select ${userColumns}, users.password_hash, users.version, users.session_epoch
  from latchkey.users where users.username = ${storedUsername(lookup)}`;

export const selectPasswordHash = (userId: string): Sql => sql`
  select users.password_hash, users.version, ${hasPasskey} as has_passkey
  from latchkey.users where users.id = ${userId}::uuid`;

/**
 * The stored hash that was used to check a password, and the version of the account at that time. A new password
 * changes the hash and the version. If only the hash has changed since the check, a concurrent sign-in has rehashed the
 * same password.
 */
export interface CheckedPassword {
  hash: string;
  version: number;
}

/** Selects a row if the account is active and still has the checked password. @param condition starts with `and`, such as the result of `andExists` */
export const selectUnchangedPassword = (
  userId: string,
  { hash, version }: CheckedPassword,
  condition = sql``,
): Sql => sql`
  select users.id from latchkey.users
  where users.id = ${userId}::uuid and (users.password_hash = ${hash}::text or users.version = ${version}::integer)
    and ${isActive} ${condition}`;

/**
 * Stores a new hash of the checked password. Returns a row if `selectUnchangedPassword` would return a row.
 *
 * @param condition starts with `and`, such as the result of `andExists`
 */
export const rehashPassword = (
  userId: string,
  { hash, version }: CheckedPassword,
  newHash: string,
  condition: Sql,
): Sql => sql`
  update latchkey.users set password_hash = ${newHash}::text
  where id = ${userId}::uuid and (password_hash = ${hash}::text or version = ${version}::integer)
    and status = 'active' ${condition}
  returning id`;

/** @param condition starts with `and`, such as the result of `andExists` */
export const selectActive = (userId: string, condition: Sql): Sql => sql`
  select users.id from latchkey.users where users.id = ${userId}::uuid and ${isActive} ${condition}`;

/**
 * Locks an active account if it has this version, so that no concurrent statement can change the account before this
 * statement ends. To avoid deadlocks, statements must lock an account before its sessions and invitations.
 */
export const lockActive = (userId: string, version: number): Sql => sql`
  select users.id from latchkey.users
  where users.id = ${userId}::uuid and users.version = ${version}::integer and ${isActive}
  for update`;

/** Like `selectActive`, but only if the account still has this role. */
export const selectActiveInRole = (userId: string | null, role: Role | null): Sql => sql`
  select users.id from latchkey.users
  where users.id = ${userId}::uuid and users.role = ${role}::text and ${isActive}`;

// The role is a literal, not a parameter, so that PostgreSQL can use the partial index on the role.
const hasHighestRole = sql`users.role = ${raw(`'${highestRole}'`)}`;

export const countActiveSuperadmins = sql`
  select count(*) as superadmins from latchkey.users where ${hasHighestRole} and ${isActive}`;

export const countUsers = sql`select count(*) as users from latchkey.users where ${isNotDeleted}`;

/** Selects one row for each superadmin, including disabled superadmins. */
export const selectSuperadmins = sql`
  select users.id, users.status from latchkey.users where ${hasHighestRole}`;
