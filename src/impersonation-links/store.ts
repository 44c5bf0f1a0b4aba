import { interval } from '../core/duration.ts';
import { batchDeletion } from '../db/expired-rows.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import type { Timestamp } from '../db/timestamp.ts';
import { joinUser, userColumns } from '../users/store.ts';

export interface NewImpersonationLink {
  tokenHash: string;
  userId: string;
  /** The name of the operator who creates the link. */
  operator: string;
  reason: string;
  lifetimeSeconds: number;
}

/** @param source `from(cte)`: stores the link only if this CTE returns a row */
export const insertLink = (
  { tokenHash, userId, operator, reason, lifetimeSeconds }: NewImpersonationLink,
  source: Sql,
): Sql => sql`
  insert into latchkey.impersonation_links (token_hash, user_id, operator_name, reason, created_at, expires_at)
  select ${tokenHash}::text, ${userId}::uuid, ${operator}::text, ${reason}::text, latchkey.clock(),
    latchkey.clock() + ${interval(lifetimeSeconds)}::interval
  ${source}
  returning user_id, expires_at`;

/**
 * Deletes the links to the account of a user, except the link that the same statement inserts.
 *
 * @param condition starts with `and`, such as the result of `andExists`
 */
export const deleteOtherLinks = (
  { userId, tokenHash }: Pick<NewImpersonationLink, 'userId' | 'tokenHash'>,
  condition: Sql,
): Sql => sql`
  delete from latchkey.impersonation_links
  where user_id = ${userId}::uuid and token_hash <> ${tokenHash}::text ${condition}
  returning user_id`;

/**
 * Deletes the links to the account of a user. For a statement that ends all sessions or all impersonated sessions of the
 * user, because a pending link would open a new one.
 *
 * @param condition as in `deleteOtherLinks`
 */
export const deleteLinksTo = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.impersonation_links where user_id = ${userId}::uuid ${condition}
  returning user_id`;

/**
 * Deletes up to `most` links to any accounts.
 *
 * @param until leaves out later links. Null: now
 */
export const deleteSomeImpersonationLinks = (most: number, until: string | null): Sql => sql`
  delete from latchkey.impersonation_links
  where token_hash = any(array(
    select impersonation_links.token_hash from latchkey.impersonation_links
    where impersonation_links.created_at <= coalesce(${until}::timestamptz, latchkey.clock())
    limit ${raw(`${most}`)}))
  returning user_id`;

/** The columns that `selectPresentedLink` adds to those of the user. */
export interface PresentedLinkRow {
  /** The version of the user's account. */
  version: number;
  operator_name: string;
  reason: string;
  live: boolean;
}

/** Selects the link with this token, and its user. */
export const selectPresentedLink = (tokenHash: string): Sql => sql`
  select ${userColumns}, users.version, impersonation_links.operator_name, impersonation_links.reason,
    impersonation_links.expires_at > latchkey.clock() as live
  from latchkey.impersonation_links
  ${joinUser(sql`impersonation_links.user_id`)}
  where impersonation_links.token_hash = ${tokenHash}::text`;

/** Deletes a link, so that it opens only one session. @param condition as in `deleteOtherLinks` */
export const spendLink = (tokenHash: string, condition: Sql): Sql => sql`
  delete from latchkey.impersonation_links
  where token_hash = ${tokenHash}::text and expires_at > latchkey.clock() ${condition}
  returning user_id`;

export interface StoredLinkRow {
  expires_at: Timestamp;
}

export const deleteExpiredImpersonationLinks = batchDeletion({
  table: 'latchkey.impersonation_links',
  key: 'token_hash',
  expiry: 'expires_at',
});
