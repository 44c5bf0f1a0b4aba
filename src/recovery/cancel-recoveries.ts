import { type Sql, sql } from '../db/sql.ts';
import { deleteRecoverySessions, deleteRecoverySessionsIn } from '../sessions/store/ending.ts';
import { deleteLink, deleteLinksCreatedBy, selectSessionsOpenedByLinksOf } from './store.ts';

/**
 * CTEs that cancel every unfinished recovery of an account: they delete its recovery link and its recovery sessions.
 *
 * These CTEs are part of the statements that change the role, enable the account or add a passkey. So an earlier
 * recovery cannot complete after the change. A statement that ends all sessions does not need these CTEs, because it
 * also ends the recovery sessions. It needs at most `deleteLink`.
 *
 * @param condition a condition on an earlier CTE, such as `andExists('changed')`
 */
export const cancelRecoveriesOf = (userId: string, condition: Sql): Sql => sql`
  canceled_link as (${deleteLink(userId, condition)}),
  canceled_recoveries as (${deleteRecoverySessions(userId, condition)})`;

/**
 * CTEs that delete the recovery links that a user created for other users, and the recovery sessions that these links
 * opened. A statement includes these CTEs if it can remove the user's right to create recovery links.
 *
 * @param condition as in `cancelRecoveriesOf`
 */
export const cancelRecoveriesHelpedBy = (creatorId: string, condition: Sql): Sql => sql`
  canceled_help_sessions as (${deleteRecoverySessionsIn(selectSessionsOpenedByLinksOf(creatorId), condition)}),
  canceled_help_links as (${deleteLinksCreatedBy(creatorId, condition)})`;
