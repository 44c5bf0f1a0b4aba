import { highestRole, type NamedUser, type Role, type User, type UserStatus } from '../core/user.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';

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

export interface NewUser {
  id: string;
  username: string;
  displayName: string | null;
  /** As `newUserHandle` makes it. */
  userHandle: string;
  role?: Role;
  passwordHash?: string | null;
}

/** @param source `from(cte)`: the account is made only where that part gave a row */
export const insertUser = (
  { id, username, displayName, userHandle, role = 'user', passwordHash = null }: NewUser,
  source = sql``,
): Sql => sql`
  insert into latchkey.users (id, username, display_name, user_handle, role, password_hash, created_at)
  select
    ${id}::uuid, ${username}::text, ${displayName}::text, ${userHandle}::text, ${role}::text,
    ${passwordHash}::text, latchkey.clock()
  ${source}
  returning ${userColumns}`;

/** Zero rows or one: whether an account has this canonical username. */
export const selectUsername = (username: string): Sql => sql`
  select users.username from latchkey.users where users.username = ${username}::text`;

/** For a statement that starts from users and joins another feature's table. */
export const fromUsers = sql`from latchkey.users`;

/** Joins the user that a column of another feature's table refers to. */
export const joinUser = (column: Sql): Sql => sql`join latchkey.users on users.id = ${column}`;

/** As `joinUser`, keeping rows that refer to nobody. */
export const leftJoinUser = (column: Sql): Sql => sql`left ${joinUser(column)}`;

/** As `leftJoinUser`, of a second user in the same statement. */
export const leftJoinUserAs = (alias: string, column: Sql): Sql =>
  sql`left join latchkey.users as ${raw(alias)} on ${raw(`${alias}.id`)} = ${column}`;

/** The names of the users `creator` and `acceptor` that a statement joins; null of a deleted account. */
export const creatorAndAcceptorNames = sql`
  case when creator.deleted_at is null then creator.username end as creator_name,
  case when acceptor.deleted_at is null then acceptor.username end as acceptor_name`;

export interface CreatorAndAcceptorRow {
  creator_name: string | null;
  acceptor_name: string | null;
}

export const namedUser = (id: string | null, username: string | null): NamedUser | null =>
  id !== null && username !== null ? { id, username } : null;

/** Joins the account with a user handle as another user of the statement; deleted accounts have kept theirs. */
export const leftJoinUserWithHandle = (alias: string, userHandle: string | null): Sql =>
  sql`left join latchkey.users as ${raw(alias)} on ${raw(`${alias}.user_handle`)} = ${userHandle}::text`;

/** Holds while the account may be signed in to; for a `where` clause. */
export const isActive = sql`users.status = 'active'`;

export const isInRole = (role: Role): Sql => sql`users.role = ${role}::text`;

/** Holds unless the account is deleted: then only its username is left, which stays taken. */
export const isNotDeleted = sql`users.deleted_at is null`;

/** Holds for sessions that nothing has ended together with all others of their account. @param epoch their column */
export const isOfCurrentEpoch = (epoch: Sql): Sql => sql`${epoch} = users.session_epoch`;

/** The epoch that a session of the account is opened in, as an expression; 0 of one that the same statement makes. */
export const currentEpoch = (userId: string): Sql => sql`
  coalesce((select users.session_epoch from latchkey.users where users.id = ${userId}::uuid), 0)`;

/** A user by id; `has_password` and `version` are what rules about the ways in decide by. */
export const selectUser = (userId: string): Sql => sql`
  select ${userColumns}, users.version, users.password_hash is not null as has_password
  from latchkey.users where users.id = ${userId}::uuid and ${isNotDeleted}`;

export const selectUserNamed = (username: string): Sql => sql`
  select ${userColumns} from latchkey.users where users.username = ${username}::text and ${isNotDeleted}`;

/** Whoever has a username, or has had it: a deleted account keeps it. */
export const selectUsernameHolder = (username: string): Sql => sql`
  select ${userColumns}, users.deleted_at is not null as deleted
  from latchkey.users where users.username = ${username}::text`;

/** A user with the digest of their password, by username. */
export const selectForPasswordLogin = (username: string): Sql => sql`
  select ${userColumns}, users.password_hash, users.version
  from latchkey.users where users.username = ${username}::text`;

export const selectPasswordHash = (userId: string): Sql => sql`
  select users.password_hash, users.version from latchkey.users where users.id = ${userId}::uuid`;

/**
 * What a password was checked against. With another digest at the same version it is still that password, hashed
 * anew by a login beside this one; a change of the password moves the version.
 */
export interface CheckedPassword {
  hash: string;
  version: number;
}

/** Holds where the account is active and its password still the one that was checked. @param condition as in `claimVersion` */
export const selectUnchangedPassword = (
  userId: string,
  { hash, version }: CheckedPassword,
  condition = sql``,
): Sql => sql`
  select users.id from latchkey.users
  where users.id = ${userId}::uuid and (users.password_hash = ${hash}::text or users.version = ${version}::integer)
    and ${isActive} ${condition}`;

/** As `selectUnchangedPassword`, and stores the same password by another digest. */
export const rehashPassword = (
  userId: string,
  { hash, version }: CheckedPassword,
  newHash: string,
): Sql => sql`
  update latchkey.users set password_hash = ${newHash}::text
  where id = ${userId}::uuid and (password_hash = ${hash}::text or version = ${version}::integer)
    and status = 'active'
  returning id`;

/**
 * Moves the version on in any case, if the account is active: for what must not go unnoticed by whoever decides
 * about the account at the same moment. It waits for them, too.
 *
 * @param condition as in `claimVersion`
 */
export const incrementVersion = (userId: string, condition = sql``): Sql => sql`
  update latchkey.users set version = version + 1
  where id = ${userId}::uuid and status = 'active' ${condition}
  returning id`;

/**
 * Sets or removes the password and ends every session, also one that a sign-in opens at the same moment. The caller's
 * own session survives by `endOtherSessions`.
 *
 * @param hash null: the account has no password from then on
 * @param condition as in `claimVersion`
 */
export const claimVersionForPassword = (
  userId: string,
  version: number,
  hash: string | null,
  condition: Sql,
): Sql =>
  sql`
  update latchkey.users
  set version = version + 1, session_epoch = session_epoch + 1, password_hash = ${hash}::text
  where id = ${userId}::uuid and version = ${version}::integer ${condition}
  returning id, session_epoch`.invalidating(userId);

/**
 * Ends every session of the account, also one that a sign-in opens at the same moment, because a way in is removed or
 * a recovery completes. The caller's own session survives by `endOtherSessions`.
 *
 * @param keepPassword false: the password is removed
 * @param condition as in `claimVersion`
 */
export const claimVersionToEndSessions = (
  userId: string,
  version: number,
  { keepPassword }: { keepPassword: boolean },
  condition: Sql,
): Sql =>
  sql`
  update latchkey.users
  set version = version + 1, session_epoch = session_epoch + 1,
    password_hash = case when ${keepPassword}::boolean then password_hash end
  where id = ${userId}::uuid and version = ${version}::integer ${condition}
  returning id, session_epoch`.invalidating(userId);

export const selectActive = (userId: string): Sql => sql`
  select users.id from latchkey.users where users.id = ${userId}::uuid and ${isActive}`;

/**
 * An active account of that version, which nobody else can change until the statement is done. Where sessions, invitations
 * and the account are locked together, the account comes first.
 */
export const lockActive = (userId: string, version: number): Sql => sql`
  select users.id from latchkey.users
  where users.id = ${userId}::uuid and users.version = ${version}::integer and ${isActive}
  for update`;

/** As `selectActive`, if the account's role is still this one. */
export const selectActiveInRole = (userId: string | null, role: Role | null): Sql => sql`
  select users.id from latchkey.users
  where users.id = ${userId}::uuid and users.role = ${role}::text and ${isActive}`;

/**
 * Moves the account's version on, if nobody else has since it was read: the guard of every rule that speaks about
 * all of an account's credentials together.
 *
 * @param condition on an earlier part of the statement, starting with `and`
 */
export const claimVersion = (userId: string, version: number, condition: Sql): Sql => sql`
  update latchkey.users set version = version + 1
  where id = ${userId}::uuid and version = ${version}::integer ${condition}
  returning id`;

const move = (change: Sql, userId: string, version: number, condition: Sql): Sql =>
  sql`
  update latchkey.users set version = version + 1, ${change}
  where id = ${userId}::uuid and version = ${version}::integer and deleted_at is null ${condition}
  returning ${userColumns}`.invalidating(userId);

/** @param condition as in `claimVersion` */
export const claimVersionForRole = (userId: string, version: number, role: Role, condition: Sql) =>
  move(sql`role = ${role}::text`, userId, version, condition);

/** Nobody signs in to a disabled account, and every session of it has ended. @param condition as in `claimVersion` */
export const claimVersionToDisable = (userId: string, version: number, condition: Sql) =>
  move(sql`status = 'disabled', session_epoch = session_epoch + 1`, userId, version, condition);

/** @param condition as in `claimVersion` */
export const claimVersionToEnable = (userId: string, version: number, condition: Sql) =>
  move(sql`status = 'active'`, userId, version, condition);

/** Leaves the username, which stays taken, and the id, which the audit log knows. @param condition as in `claimVersion` */
export const claimVersionToDelete = (userId: string, version: number, condition: Sql) =>
  move(
    sql`status = 'disabled', deleted_at = latchkey.clock(), role = 'user', display_name = null,
      password_hash = null, session_epoch = session_epoch + 1`,
    userId,
    version,
    condition,
  );

/** Makes the account one of another name and password; for one that nobody has been in yet. @param condition as in `claimVersion` */
export const claimVersionForUsernameAndPassword = (
  userId: string,
  version: number,
  { username, passwordHash }: { username: string; passwordHash: string | null },
  condition: Sql,
) =>
  move(
    sql`username = ${username}::text, password_hash = ${passwordHash}::text, session_epoch = session_epoch + 1`,
    userId,
    version,
    condition,
  );

/**
 * Ends every session of the account, also one that is about to be opened. The version moves as well, so that a statement
 * that acts for one of these sessions finds another version.
 *
 * @param condition as in `claimVersion`
 */
export const incrementSessionEpoch = (userId: string, condition: Sql): Sql =>
  sql`
  update latchkey.users set version = version + 1, session_epoch = session_epoch + 1
  where id = ${userId}::uuid and deleted_at is null ${condition}
  returning id`.invalidating(userId);

// A literal in the statement's text: the planner uses the partial index on it.
const hasHighestRole = sql`users.role = ${raw(`'${highestRole}'`)}`;

export const countActiveSuperadmins = sql`
  select count(*) as superadmins from latchkey.users where ${hasHighestRole} and ${isActive}`;

export const countUsers = sql`select count(*) as users from latchkey.users where ${isNotDeleted}`;

/** One row for each superadmin, disabled ones too. */
export const selectSuperadmins = sql`
  select users.id, users.status from latchkey.users where ${hasHighestRole}`;
