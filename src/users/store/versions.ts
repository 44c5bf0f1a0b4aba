import type { Role } from '../../core/user.ts';
import type { StoredFields } from '../../core/user-fields.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { skeletonOf } from '../look-alikes.ts';
import { freeSkeleton, userColumns } from '../store.ts';

/**
 * Increments the account's version, but only if it is still the version that was read. Returns no row if a concurrent
 * change was faster. If no row is returned, the operation has to read the account again and decide again.
 *
 * @param condition starts with `and`, such as the result of `andExists`
 */
export const claimVersion = (userId: string, version: number, condition: Sql): Sql => sql`
  update latchkey.users set version = version + 1
  where id = ${userId}::uuid and version = ${version}::integer ${condition}
  returning id`;

const claimVersionAndSet = (change: Sql, userId: string, version: number, condition: Sql): Sql =>
  sql`
  update latchkey.users set version = version + 1, ${change}
  where id = ${userId}::uuid and version = ${version}::integer and deleted_at is null ${condition}
  returning ${userColumns}`.invalidating(userId);

/** @param condition as in `claimVersion` */
export const claimVersionForRole = (userId: string, version: number, role: Role, condition: Sql) =>
  claimVersionAndSet(sql`role = ${role}::text`, userId, version, condition);

/**
 * Disables the account and ends all its sessions.
 *
 * @param reason null: no reason was given
 * @param condition as in `claimVersion`
 */
export const claimVersionToDisable = (
  userId: string,
  version: number,
  reason: string | null,
  condition: Sql,
) =>
  claimVersionAndSet(
    sql`status = 'disabled', disabled_reason = ${reason}::text, session_epoch = session_epoch + 1`,
    userId,
    version,
    condition,
  );

/** @param condition as in `claimVersion` */
export const claimVersionToEnable = (userId: string, version: number, condition: Sql) =>
  claimVersionAndSet(sql`status = 'active', disabled_reason = null`, userId, version, condition);

/**
 * Deletes the account, but keeps the username, the id and the user handle. The username stays taken until
 * `releaseUsername`, and audit events contain the id. The service uses the user handle to recognize a sign-in
 * with a passkey of the deleted account.
 *
 * @param condition as in `claimVersion`
 */
export const claimVersionToDelete = (userId: string, version: number, condition: Sql) =>
  claimVersionAndSet(
    sql`status = 'disabled', disabled_reason = null, deleted_at = latchkey.clock(), role = 'user', display_name = null,
      fields = '{}', password_hash = null, session_epoch = session_epoch + 1`,
    userId,
    version,
    condition,
  );

/**
 * Replaces the username and the password, and ends all sessions. For a bootstrapped superadmin who has neither a
 * password nor a passkey yet.
 *
 * @param condition as in `claimVersion`
 */
export const claimVersionForUsernameAndPassword = (
  userId: string,
  version: number,
  { username, passwordHash }: { username: string; passwordHash: string | null },
  condition: Sql,
) =>
  claimVersionAndSet(
    sql`username = ${username}::text, skeleton = ${freeSkeleton(userId, username)},
      password_hash = ${passwordHash}::text, session_epoch = session_epoch + 1`,
    userId,
    version,
    condition,
  );

/** The display name and the own fields of an account. */
export interface Profile {
  displayName: string | null;
  fields: StoredFields;
}

/** @param condition as in `claimVersion` */
export const claimVersionForProfile = (
  userId: string,
  version: number,
  { displayName, fields }: Profile,
  condition: Sql,
) =>
  claimVersionAndSet(
    sql`display_name = ${displayName}::text, fields = ${JSON.stringify(fields)}::text::jsonb`,
    userId,
    version,
    condition,
  );

/**
 * Changes the username. The statement must also contain `holdUsername`, so that no other account gets the earlier one.
 *
 * @param lookAlikes as in `NewUser`
 * @param condition as in `claimVersion`
 */
export const claimVersionForUsername = (
  userId: string,
  version: number,
  username: string,
  lookAlikes: 'allow' | 'refuse',
  condition: Sql,
) =>
  claimVersionAndSet(
    sql`username = ${username}::text, username_since = latchkey.clock(),
      skeleton = ${lookAlikes === 'refuse' ? sql`${skeletonOf(username)}::text` : freeSkeleton(userId, username)}`,
    userId,
    version,
    condition,
  );

/**
 * Ends every session of the account, including a session that a concurrent sign-in is opening. Also increments the
 * version, so that a concurrent request of an ended session cannot claim the version.
 *
 * @param condition as in `claimVersion`
 */
export const incrementSessionEpoch = (userId: string, condition: Sql): Sql =>
  sql`
  update latchkey.users set version = version + 1, session_epoch = session_epoch + 1
  where id = ${userId}::uuid and deleted_at is null ${condition}
  returning id`.invalidating(userId);

/**
 * Increments the version of an active account, whatever the version is. A concurrent operation that has read the
 * earlier version can then no longer claim the earlier version, so it has to read the account again. If a concurrent
 * statement has locked the account, this statement waits.
 *
 * @param condition as in `claimVersion`
 */
export const incrementVersion = (userId: string, condition = sql``): Sql => sql`
  update latchkey.users set version = version + 1
  where id = ${userId}::uuid and status = 'active' ${condition}
  returning id`;

/**
 * Sets or removes the password, and ends every session of the account, including a session that a concurrent sign-in is
 * opening. To keep the caller's session, the statement must also contain `endOtherSessions`.
 *
 * @param hash null: removes the password
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
 * Ends every session of the account, including a session that a concurrent sign-in is opening. For a statement that
 * removes a credential or completes a recovery. To keep the caller's session, the statement must also contain
 * `endOtherSessions`.
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
