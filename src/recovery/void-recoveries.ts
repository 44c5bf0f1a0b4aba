import { type Sql, sql } from '../db/sql.ts';
import { deleteRecoverySessions, deleteRecoverySessionsIn } from '../sessions/store/ending.ts';
import { deleteLink, deleteLinksMadeBy, selectSessionsOpenedByLinksOf } from './store.ts';

/**
 * The parts of a statement that void every unfinished recovery of an account: its link and its recovery sessions. For
 * every change of the account's role, status, passkeys or password: a recovery that began before must not complete
 * after it.
 *
 * @param condition on an earlier part of the statement, starting with `and`
 */
export const voidRecoveriesOf = (userId: string, condition: Sql): Sql => sql`
  voided_link as (${deleteLink(userId, condition)}),
  voided_recoveries as (${deleteRecoverySessions(userId, condition)})`;

/**
 * The parts of a statement that void the help a user gave to others: their links, and the recovery sessions that these
 * opened. For every change after which the user might no longer be allowed to help.
 *
 * @param condition as of `voidRecoveriesOf`
 */
export const voidHelpBy = (makerId: string, condition: Sql): Sql => sql`
  voided_help_sessions as (${deleteRecoverySessionsIn(selectSessionsOpenedByLinksOf(makerId), condition)}),
  voided_help_links as (${deleteLinksMadeBy(makerId, condition)})`;
