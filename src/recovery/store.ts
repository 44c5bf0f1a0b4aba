import { interval } from '../core/duration.ts';
import { join, type Statement, sql } from '../db/database.ts';
import { deletingExpired } from '../db/expired-rows.ts';
import type { Timestamp } from '../db/timestamp.ts';
import { fromUsers, joinUser, leftJoinUserAs, userColumns } from '../users/store.ts';
import type { Role, UserStatus } from '../users/user.ts';

const listOf = (texts: readonly string[]) => join(texts.map((text) => sql`${text}::text`));

/** Holds while a code can be used; `expires_at` is null for one that never ends. */
const isUsable = sql`
  used_at is null and (recovery_codes.expires_at is null or recovery_codes.expires_at > latchkey.clock())`;

/** As `isUsable`, if the secret that the code was made under is still listed: without it nobody can bring the code. */
const isUsableUnder = (keyIds: readonly string[]) => sql`${isUsable} and key_id in (${listOf(keyIds)})`;

export interface NewCodes {
  userId: string;
  hashes: readonly string[];
  /** Of the key that the hashes were made with. */
  keyId: string;
  /** The recovery session that they are made in; null: a full one. */
  recoverySessionId: string | null;
  expirySeconds: number | null;
}

/** @param source `from(cte)`: the codes come into being only where that part gave a row */
export const insertCodes = (
  { userId, hashes, keyId, recoverySessionId, expirySeconds }: NewCodes,
  source: Statement,
): Statement => {
  const expiry = expirySeconds === null ? null : interval(expirySeconds);
  const rows = hashes.map(
    (hash) => sql`
    select ${hash}::text, ${keyId}::text, ${userId}::uuid, ${recoverySessionId}::uuid, latchkey.clock(),
      latchkey.clock() + ${expiry}::interval
    ${source}`,
  );
  return sql`
  insert into latchkey.recovery_codes (code_hash, key_id, user_id, recovery_session_id, created_at, expires_at)
  ${join(rows, ' union all ')}
  returning code_hash, expires_at`;
};

/** All but these, which the same statement inserts. @param condition on an earlier part of it, starting with `and` */
export const deleteCodesBut = (
  hashes: readonly string[],
  userId: string,
  condition: Statement,
): Statement => sql`
  delete from latchkey.recovery_codes
  where user_id = ${userId}::uuid and code_hash not in (${listOf(hashes)}) ${condition}
  returning code_hash`;

/** @param condition as of `deleteCodesBut` */
export const deleteCodes = (userId: string, condition: Statement): Statement => sql`
  delete from latchkey.recovery_codes where user_id = ${userId}::uuid ${condition} returning code_hash`;

/** Those that were made in another recovery session than this. @param condition as of `deleteCodesBut` */
export const deleteCodesOfOtherRecoveries = (
  userId: string,
  sessionId: string,
  condition: Statement,
): Statement => sql`
  delete from latchkey.recovery_codes
  where user_id = ${userId}::uuid and recovery_session_id <> ${sessionId}::uuid ${condition}
  returning code_hash`;

export interface CodeRow {
  created_at: Timestamp;
  expires_at: Timestamp | null;
  usable: boolean;
}

/** An account's codes, used and unused: at most twenty. */
export const selectCodes = (userId: string, keyIds: readonly string[]): Statement => sql`
  select recovery_codes.created_at, recovery_codes.expires_at, ${isUsableUnder(keyIds)} as usable
  from latchkey.recovery_codes where recovery_codes.user_id = ${userId}::uuid`;

export const countUsableCodes = (userId: string, keyIds: readonly string[]): Statement => sql`
  select count(*) as codes from latchkey.recovery_codes
  where recovery_codes.user_id = ${userId}::uuid and ${isUsableUnder(keyIds)}`;

/** What is known of a code that somebody brings for a username; the code's columns are null where it is not theirs. */
export interface PresentedCodeRow {
  code_hash: string | null;
  used: boolean | null;
  usable: boolean | null;
}

export const selectPresentedCode = (username: string, hashes: readonly string[]): Statement => sql`
  select ${userColumns}, recovery_codes.code_hash, recovery_codes.used_at is not null as used,
    ${isUsable} as usable
  ${fromUsers}
  left join latchkey.recovery_codes
    on recovery_codes.user_id = users.id
    and recovery_codes.code_hash in (${listOf(hashes)})
  where users.username = ${username}::text`;

/** Uses a code up: a row comes back for the first to do so and for nobody after. @param condition as of `deleteCodesBut` */
export const spendCode = (hash: string, condition: Statement): Statement => sql`
  update latchkey.recovery_codes set used_at = latchkey.clock()
  where code_hash = ${hash}::text and ${isUsable} ${condition}
  returning code_hash`;

export interface NewLink {
  userId: string;
  tokenHash: string;
  /** Null for an operator's. */
  makerId: string | null;
  lifetimeSeconds: number;
}

/** Makes the one link of an account, in place of an earlier one. @param source as of `insertCodes` */
export const putLink = (
  { userId, tokenHash, makerId, lifetimeSeconds }: NewLink,
  source: Statement,
): Statement => sql`
  insert into latchkey.recovery_links (user_id, token_hash, maker_id, created_at, expires_at)
  select ${userId}::uuid, ${tokenHash}::text, ${makerId}::uuid, latchkey.clock(),
    latchkey.clock() + ${interval(lifetimeSeconds)}::interval
  ${source}
  on conflict (user_id) do update
  set token_hash = excluded.token_hash, maker_id = excluded.maker_id, created_at = excluded.created_at,
    expires_at = excluded.expires_at
  returning user_id, expires_at`;

/** A link that somebody brings, with the person it is for and what has become of its maker. */
export interface PresentedLinkRow {
  live: boolean;
  maker_id: string | null;
  maker_role: Role | null;
  maker_status: UserStatus | null;
}

export const selectPresentedLink = (tokenHash: string): Statement => sql`
  select ${userColumns}, recovery_links.expires_at > latchkey.clock() as live,
    recovery_links.maker_id, maker.role as maker_role, maker.status as maker_status
  from latchkey.recovery_links
  ${joinUser(sql`recovery_links.user_id`)}
  ${leftJoinUserAs('maker', sql`recovery_links.maker_id`)}
  where recovery_links.token_hash = ${tokenHash}::text`;

/** Uses a link up, as `spendCode` does a code. */
export const spendLink = (tokenHash: string, condition: Statement): Statement => sql`
  delete from latchkey.recovery_links
  where token_hash = ${tokenHash}::text and expires_at > latchkey.clock() ${condition}
  returning user_id`;

/** @param condition as of `deleteCodesBut` */
export const deleteLink = (userId: string, condition: Statement): Statement => sql`
  delete from latchkey.recovery_links where user_id = ${userId}::uuid ${condition}
  returning user_id, expires_at`;

/** Those that somebody has made for others. @param condition as of `deleteCodesBut` */
export const deleteLinksMadeBy = (makerId: string, condition: Statement): Statement => sql`
  delete from latchkey.recovery_links where maker_id = ${makerId}::uuid ${condition} returning user_id`;

export const deleteExpiredLinks = deletingExpired({
  table: 'latchkey.recovery_links',
  key: 'user_id',
  expiry: 'expires_at',
});
