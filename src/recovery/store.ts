import { interval } from '../core/duration.ts';
import type { Role, UserStatus } from '../core/user.ts';
import { batchDeletion } from '../db/expired-rows.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import type { Timestamp } from '../db/timestamp.ts';
import { selectLiveIds } from '../sessions/store.ts';
import { fromUsers, joinUser, leftJoinUserAs, storedUsername, userColumns } from '../users/store.ts';
import type { UsernameLookup } from '../users/username-lookup.ts';

const listOf = (texts: readonly string[]) => join(texts.map((text) => sql`${text}::text`));

/** Whether a code is unused and unexpired. A null `expires_at` means that the code does not expire. */
const isUsable = sql`
  recovery_codes.used_at is null and (recovery_codes.expires_at is null or recovery_codes.expires_at > latchkey.clock())`;

/** Like `isUsable`, but one of these keys must have computed the hash. A code of a removed key never matches. */
const isUsableUnder = (keyIds: readonly string[]) => sql`${isUsable} and key_id in (${listOf(keyIds)})`;

export interface CodesByKeyRow {
  key_id: string;
  codes: number;
  /** Null: at least one of the codes does not expire. */
  last_expiry: Timestamp | null;
}

/** Counts the usable codes by the id of the key that computed their hash. */
export const countCodesByKey = sql`
  select recovery_codes.key_id, count(*)::integer as codes,
    case when bool_and(recovery_codes.expires_at is not null) then max(recovery_codes.expires_at) end as last_expiry
  from latchkey.recovery_codes
  where ${isUsable}
  group by recovery_codes.key_id`;

/**
 * Selects the ids of the users among `users` who have usable recovery codes. Each id occurs once.
 *
 * @param after all ids are greater than this one
 */
export const selectUsersWithCodes = (users: Sql, after: string): Sql => sql`
  select distinct recovery_codes.user_id from latchkey.recovery_codes
  where recovery_codes.user_id > ${after}::uuid and recovery_codes.user_id in (${users}) and ${isUsable}`;

export interface NewCodes {
  userId: string;
  hashes: readonly string[];
  /** The id of the key that computed the hashes. */
  keyId: string;
  /** Null: the codes do not expire. */
  expirySeconds: number | null;
}

/** @param source `from(cte)`: stores the codes only if that CTE returned a row */
export const insertCodes = ({ userId, hashes, keyId, expirySeconds }: NewCodes, source: Sql): Sql => {
  const expiry = expirySeconds === null ? null : interval(expirySeconds);
  const rows = hashes.map(
    (hash) => sql`
    select ${hash}::text, ${keyId}::text, ${userId}::uuid, latchkey.clock(),
      latchkey.clock() + ${expiry}::interval
    ${source}`,
  );
  return sql`
  insert into latchkey.recovery_codes (code_hash, key_id, user_id, created_at, expires_at)
  ${join(rows, ' union all ')}
  returning code_hash, expires_at as codes_expire_at`;
};

/**
 * Deletes all codes of an account, except the codes that the same statement inserts.
 *
 * @param hashes the hashes of the inserted codes
 * @param condition a condition on an earlier CTE, such as `andExists('claimed')`
 */
export const deleteCodesExcept = (hashes: readonly string[], userId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_codes
  where user_id = ${userId}::uuid and code_hash not in (${listOf(hashes)}) ${condition}
  returning code_hash`;

/** @param condition as in `deleteCodesExcept` */
export const deleteCodes = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_codes where user_id = ${userId}::uuid ${condition} returning code_hash`;

export interface CodeRow {
  created_at: Timestamp;
  expires_at: Timestamp | null;
  usable: boolean;
}

/** The codes of an account, used and unused. An account has at most twenty codes. */
export const selectCodes = (userId: string, keyIds: readonly string[]): Sql => sql`
  select recovery_codes.created_at, recovery_codes.expires_at, ${isUsableUnder(keyIds)} as usable
  from latchkey.recovery_codes where recovery_codes.user_id = ${userId}::uuid`;

export const countUsableCodes = (userId: string, keyIds: readonly string[]): Sql => sql`
  select count(*) as codes from latchkey.recovery_codes
  where recovery_codes.user_id = ${userId}::uuid and ${isUsableUnder(keyIds)}`;

/**
 * The recovery code of a request. If the account does not have this code, `code_hash` is null and the other columns
 * have no meaning.
 */
export interface PresentedCodeRow {
  code_hash: string | null;
  used: boolean | null;
  usable: boolean | null;
}

export const selectPresentedCode = (lookup: UsernameLookup, hashes: readonly string[]): Sql => sql`
  select ${userColumns}, users.session_epoch, recovery_codes.code_hash,
    recovery_codes.used_at is not null as used,
    ${isUsable} as usable
  ${fromUsers}
  left join latchkey.recovery_codes
    on recovery_codes.user_id = users.id
    and recovery_codes.code_hash in (${listOf(hashes)})
  where users.username = ${storedUsername(lookup)}`;

/** Marks a code as used. Returns no row if the code is used or expired. @param condition as in `deleteCodesExcept` */
export const spendCode = (hash: string, condition: Sql): Sql => sql`
  update latchkey.recovery_codes set used_at = latchkey.clock()
  where code_hash = ${hash}::text and ${isUsable} ${condition}
  returning code_hash`;

export interface NewLink {
  userId: string;
  tokenHash: string;
  /** Null: an operator. */
  creatorId: string | null;
  /** The time before the link becomes usable. */
  delaySeconds: number;
  /** The time during which the link is usable. It starts after the delay. */
  lifetimeSeconds: number;
}

/**
 * Stores a recovery link. An account has at most one: a new link replaces the earlier one.
 *
 * @param source as in `insertCodes`
 */
export const putLink = (
  { userId, tokenHash, creatorId, delaySeconds, lifetimeSeconds }: NewLink,
  source: Sql,
): Sql => sql`
  insert into latchkey.recovery_links (user_id, token_hash, maker_id, created_at, usable_at, expires_at)
  select ${userId}::uuid, ${tokenHash}::text, ${creatorId}::uuid, latchkey.clock(),
    latchkey.clock() + ${interval(delaySeconds)}::interval,
    latchkey.clock() + ${interval(delaySeconds + lifetimeSeconds)}::interval
  ${source}
  on conflict (user_id) do update
  set token_hash = excluded.token_hash, maker_id = excluded.maker_id, created_at = excluded.created_at,
    usable_at = excluded.usable_at, expires_at = excluded.expires_at, session_id = null, used_at = null
  returning user_id, usable_at, expires_at`;

/** The creator of a recovery link. All columns are null if an operator created it. */
export interface LinkCreatorRow {
  creator_id: string | null;
  creator_role: Role | null;
  creator_status: UserStatus | null;
}

const creatorColumns = sql`
  recovery_links.maker_id as creator_id, creator.role as creator_role, creator.status as creator_status`;

const joinCreator = leftJoinUserAs('creator', sql`recovery_links.maker_id`);

/** A recovery link that was found by its token. `waiting`: `usable_at` is in the future. */
export interface PresentedLinkRow extends LinkCreatorRow {
  used: boolean;
  live: boolean;
  waiting: boolean;
  usable_at: Timestamp;
  now: Timestamp;
}

/** The link with this token, its user, the version of the account, and the creator of the link. */
export const selectPresentedLink = (tokenHash: string): Sql => sql`
  select ${userColumns}, users.version, recovery_links.session_id is not null as used,
    recovery_links.expires_at > latchkey.clock() as live, recovery_links.usable_at > latchkey.clock() as waiting,
    recovery_links.usable_at, latchkey.clock() as now, ${creatorColumns}
  from latchkey.recovery_links
  ${joinUser(sql`recovery_links.user_id`)}
  ${joinCreator}
  where recovery_links.token_hash = ${tokenHash}::text`;

/** The creator of the link that opened a recovery session. No row if the link was canceled, replaced or deleted. */
export const selectCreatorOfSession = (userId: string, sessionId: string): Sql => sql`
  select ${creatorColumns} from latchkey.recovery_links
  ${joinCreator}
  where recovery_links.user_id = ${userId}::uuid and recovery_links.session_id = ${sessionId}::uuid`;

/**
 * Marks a link as used. Returns no row if the link is used, expired or not usable yet. The link stays stored as long as
 * its recovery session can last, because completing the recovery requires the link. Until then, the user can see and
 * cancel the link.
 *
 * @param condition as in `deleteCodesExcept`
 */
export const spendLink = (
  tokenHash: string,
  session: { id: string; ttlSeconds: number },
  condition: Sql,
): Sql => sql`
  update latchkey.recovery_links
  set session_id = ${session.id}::uuid, used_at = latchkey.clock(),
    expires_at = latchkey.clock() + ${interval(session.ttlSeconds)}::interval
  where token_hash = ${tokenHash}::text and session_id is null
    and usable_at <= latchkey.clock() and expires_at > latchkey.clock() ${condition}
  returning user_id`;

/** Deletes the link that opened this recovery session. @param condition as in `deleteCodesExcept` */
export const deleteLinkOfSession = (userId: string, sessionId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_links
  where user_id = ${userId}::uuid and session_id = ${sessionId}::uuid ${condition}
  returning user_id`;

/**
 * Deletes an account's link, used or not. Returns the columns of `putLink`.
 *
 * @param condition as in `deleteCodesExcept`
 */
export const deleteLink = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_links where user_id = ${userId}::uuid ${condition}
  returning user_id, usable_at, expires_at`;

/**
 * Deletes up to `most` links to any accounts, or none if `enabled` is false.
 *
 * @param until leaves out later links. Null: now
 */
export const deleteSomeRecoveryLinks = (most: number, enabled: boolean, until: string | null): Sql => sql`
  delete from latchkey.recovery_links
  where ${enabled}::boolean
    and user_id = any(array(
      select recovery_links.user_id from latchkey.recovery_links
      where recovery_links.created_at <= coalesce(${until}::timestamptz, latchkey.clock())
      limit ${raw(`${most}`)}))
  returning user_id, session_id is null and expires_at > latchkey.clock() as was_usable`;

/** Deletes the links that a user created for other users. @param condition as in `deleteCodesExcept` */
export const deleteLinksCreatedBy = (creatorId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_links where maker_id = ${creatorId}::uuid ${condition} returning user_id`;

/** The ids of recovery sessions that were opened with a link of this creator. */
export const selectSessionsOpenedByLinksOf = (creatorId: string): Sql => sql`
  select recovery_links.session_id from latchkey.recovery_links
  where recovery_links.maker_id = ${creatorId}::uuid and recovery_links.session_id is not null`;

export interface PendingLinkRow {
  link_created_at: Timestamp;
  link_usable_at: Timestamp;
  link_expires_at: Timestamp;
  link_used_at: Timestamp | null;
  link_creator_id: string | null;
  link_creator_name: string | null;
}

/** The recovery link of an account. No row if the link has expired, or if its recovery session has ended. */
export const selectPendingLink = (userId: string): Sql => sql`
  select recovery_links.created_at as link_created_at, recovery_links.usable_at as link_usable_at,
    recovery_links.expires_at as link_expires_at, recovery_links.used_at as link_used_at,
    creator.id as link_creator_id, creator.username as link_creator_name
  from latchkey.recovery_links
  ${joinCreator}
  where recovery_links.user_id = ${userId}::uuid and recovery_links.expires_at > latchkey.clock()
    and (recovery_links.session_id is null or recovery_links.session_id in (${selectLiveIds(userId)}))`;

export const deleteExpiredLinks = batchDeletion({
  table: 'latchkey.recovery_links',
  key: 'user_id',
  expiry: 'expires_at',
});
