import { type Sql, sql } from '../db/sql.ts';
import { deleteRecoverySessions, deleteRecoverySessionsIn } from '../sessions/store/ending.ts';
import { deleteLink, deleteLinksCreatedBy, selectSessionsOpenedByLinksOf } from './store.ts';

/**
 * CTEs that void each unfinished recovery of an account: they delete its link and its recovery sessions. A change of the
 * account's role, status, passkeys or password includes them, so that no earlier recovery completes after the change.
 *
 * @param condition on an earlier CTE of the statement, starting with `and`
 */
export const cancelRecoveriesOf = (userId: string, condition: Sql): Sql => sql`
  canceled_link as (${deleteLink(userId, condition)}),
  canceled_recoveries as (${deleteRecoverySessions(userId, condition)})`;

/**
 * CTEs that delete the recovery links that a user created for other users, and the recovery sessions that these links
 * opened. A change that may take away the user's right to help includes them.
 *
 * @param condition as in `cancelRecoveriesOf`
 */
export const cancelRecoveriesHelpedBy = (creatorId: string, condition: Sql): Sql => sql`
  canceled_help_sessions as (${deleteRecoverySessionsIn(selectSessionsOpenedByLinksOf(creatorId), condition)}),
  canceled_help_links as (${deleteLinksCreatedBy(creatorId, condition)})`;
