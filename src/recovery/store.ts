import { interval } from '../core/duration.ts';
import type { Role, UserStatus } from '../core/user.ts';
import { deletingExpired } from '../db/expired-rows.ts';
import { join, type Sql, sql } from '../db/sql.ts';
import type { Timestamp } from '../db/timestamp.ts';
import { selectLiveIds } from '../sessions/store.ts';
import { fromUsers, joinUser, leftJoinUserAs, userColumns } from '../users/store.ts';

const listOf = (texts: readonly string[]) => join(texts.map((text) => sql`${text}::text`));

/** Holds while a code can be used; `expires_at` is null for one that never ends. */
const isUsable = sql`
  used_at is null and (recovery_codes.expires_at is null or recovery_codes.expires_at > latchkey.clock())`;

/** As `isUsable`, if the secret that the code was made under is still listed: without it nobody can bring the code. */
const isUsableUnder = (keyIds: readonly string[]) => sql`${isUsable} and key_id in (${listOf(keyIds)})`;

export interface NewCodes {
  userId: string;
  hashes: readonly string[];
  /** The name of the key that the hashes were made with. */
  keyId: string;
  /** Null: the codes do not expire. */
  expirySeconds: number | null;
}

/** @param source `from(cte)`: the codes are stored only where that part returned a row */
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

/** All but these, which the same statement inserts. @param condition on an earlier part of it, starting with `and` */
export const deleteCodesBut = (hashes: readonly string[], userId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_codes
  where user_id = ${userId}::uuid and code_hash not in (${listOf(hashes)}) ${condition}
  returning code_hash`;

/** @param condition as of `deleteCodesBut` */
export const deleteCodes = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_codes where user_id = ${userId}::uuid ${condition} returning code_hash`;

export interface CodeRow {
  created_at: Timestamp;
  expires_at: Timestamp | null;
  usable: boolean;
}

/** An account's codes, used and unused: at most twenty. */
export const selectCodes = (userId: string, keyIds: readonly string[]): Sql => sql`
  select recovery_codes.created_at, recovery_codes.expires_at, ${isUsableUnder(keyIds)} as usable
  from latchkey.recovery_codes where recovery_codes.user_id = ${userId}::uuid`;

export const countUsableCodes = (userId: string, keyIds: readonly string[]): Sql => sql`
  select count(*) as codes from latchkey.recovery_codes
  where recovery_codes.user_id = ${userId}::uuid and ${isUsableUnder(keyIds)}`;

/** What is known of a code that somebody brings for a username; the code's columns are null where it is not theirs. */
export interface PresentedCodeRow {
  code_hash: string | null;
  used: boolean | null;
  usable: boolean | null;
}

export const selectPresentedCode = (username: string, hashes: readonly string[]): Sql => sql`
  select ${userColumns}, recovery_codes.code_hash, recovery_codes.used_at is not null as used,
    ${isUsable} as usable
  ${fromUsers}
  left join latchkey.recovery_codes
    on recovery_codes.user_id = users.id
    and recovery_codes.code_hash in (${listOf(hashes)})
  where users.username = ${username}::text`;

/** Uses a code up: a row comes back for the first to do so and for nobody after. @param condition as of `deleteCodesBut` */
export const spendCode = (hash: string, condition: Sql): Sql => sql`
  update latchkey.recovery_codes set used_at = latchkey.clock()
  where code_hash = ${hash}::text and ${isUsable} ${condition}
  returning code_hash`;

export interface NewLink {
  userId: string;
  tokenHash: string;
  /** Null for an operator's. */
  makerId: string | null;
  /** How long the link waits before it can be used. */
  delaySeconds: number;
  /** How long it can be used after that. */
  lifetimeSeconds: number;
}

/**
 * Stores the one recovery link of an account and replaces an earlier one.
 *
 * @param source as of `insertCodes`
 */
export const putLink = (
  { userId, tokenHash, makerId, delaySeconds, lifetimeSeconds }: NewLink,
  source: Sql,
): Sql => sql`
  insert into latchkey.recovery_links (user_id, token_hash, maker_id, created_at, usable_at, expires_at)
  select ${userId}::uuid, ${tokenHash}::text, ${makerId}::uuid, latchkey.clock(),
    latchkey.clock() + ${interval(delaySeconds)}::interval,
    latchkey.clock() + ${interval(delaySeconds + lifetimeSeconds)}::interval
  ${source}
  on conflict (user_id) do update
  set token_hash = excluded.token_hash, maker_id = excluded.maker_id, created_at = excluded.created_at,
    usable_at = excluded.usable_at, expires_at = excluded.expires_at, session_id = null, used_at = null
  returning user_id, usable_at, expires_at`;

/** The maker of a recovery link. All columns are null for an operator's link. */
export interface LinkMakerRow {
  maker_id: string | null;
  maker_role: Role | null;
  maker_status: UserStatus | null;
}

const makerColumns = sql`recovery_links.maker_id, maker.role as maker_role, maker.status as maker_status`;

const joinMaker = leftJoinUserAs('maker', sql`recovery_links.maker_id`);

/** A recovery link that a caller presents. `waiting`: it cannot be used before `usable_at`. */
export interface PresentedLinkRow extends LinkMakerRow {
  used: boolean;
  live: boolean;
  waiting: boolean;
  usable_at: Timestamp;
  now: Timestamp;
}

/** The link behind a token, with its user, the version of the account, and the link's maker. */
export const selectPresentedLink = (tokenHash: string): Sql => sql`
  select ${userColumns}, users.version, recovery_links.session_id is not null as used,
    recovery_links.expires_at > latchkey.clock() as live, recovery_links.usable_at > latchkey.clock() as waiting,
    recovery_links.usable_at, latchkey.clock() as now, ${makerColumns}
  from latchkey.recovery_links
  ${joinUser(sql`recovery_links.user_id`)}
  ${joinMaker}
  where recovery_links.token_hash = ${tokenHash}::text`;

/** The maker of the link that opened a recovery session of the user; no row once the link is void. */
export const selectMakerOfSession = (userId: string, sessionId: string): Sql => sql`
  select ${makerColumns} from latchkey.recovery_links
  ${joinMaker}
  where recovery_links.user_id = ${userId}::uuid and recovery_links.session_id = ${sessionId}::uuid`;

/**
 * Uses a link up: returns a row for the first caller only. The link keeps its row, names the session that it opens, and
 * lives as long as that session can.
 *
 * @param condition as of `deleteCodesBut`
 */
export const useUpLink = (
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

/** Deletes the link that opened a recovery session of the user. @param condition as of `deleteCodesBut` */
export const deleteLinkOfSession = (userId: string, sessionId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_links
  where user_id = ${userId}::uuid and session_id = ${sessionId}::uuid ${condition}
  returning user_id`;

/** Deletes an account's link, used or not. Returns the columns that `putLink` does. @param condition as of `deleteCodesBut` */
export const deleteLink = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_links where user_id = ${userId}::uuid ${condition}
  returning user_id, usable_at, expires_at`;

/** Deletes the links that a user made for others. @param condition as of `deleteCodesBut` */
export const deleteLinksMadeBy = (makerId: string, condition: Sql): Sql => sql`
  delete from latchkey.recovery_links where maker_id = ${makerId}::uuid ${condition} returning user_id`;

/** The recovery sessions that a user's links opened, as ids. */
export const selectSessionsOpenedByLinksOf = (makerId: string): Sql => sql`
  select recovery_links.session_id from latchkey.recovery_links
  where recovery_links.maker_id = ${makerId}::uuid and recovery_links.session_id is not null`;

/** A live recovery link of an account as its user sees it. */
export interface PendingLinkRow {
  link_created_at: Timestamp;
  link_usable_at: Timestamp;
  link_expires_at: Timestamp;
  link_used_at: Timestamp | null;
  link_maker_id: string | null;
  link_maker_name: string | null;
}

/** The account's recovery link, if it can still be used or the session that it opened is live. */
export const selectPendingLink = (userId: string): Sql => sql`
  select recovery_links.created_at as link_created_at, recovery_links.usable_at as link_usable_at,
    recovery_links.expires_at as link_expires_at, recovery_links.used_at as link_used_at,
    maker.id as link_maker_id, maker.username as link_maker_name
  from latchkey.recovery_links
  ${joinMaker}
  where recovery_links.user_id = ${userId}::uuid and recovery_links.expires_at > latchkey.clock()
    and (recovery_links.session_id is null or recovery_links.session_id in (${selectLiveIds(userId)}))`;

export const deleteExpiredLinks = deletingExpired({
  table: 'latchkey.recovery_links',
  key: 'user_id',
  expiry: 'expires_at',
});
