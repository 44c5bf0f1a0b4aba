import { highestRole } from '../../core/user.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { isOfCurrentEpoch, joinUser, leftJoinUserAs } from '../../users/store.ts';

/** Joins the user of a session, and the superadmin who uses an impersonated session, as `impersonator`. */
export const joinUsers = sql`${joinUser(sql`sessions.user_id`)}
  ${leftJoinUserAs('impersonator', sql`sessions.impersonator_id`)}`;

/**
 * An SQL expression: the epoch of a new impersonated session. It is never equal to the epoch of the account. So a check
 * that does not know impersonated sessions rejects them (see migration 21).
 *
 * @param epoch the epoch of the account
 */
export const epochOfImpersonation = (epoch: Sql): Sql => sql`-1 - ${epoch}`;

// A literal instead of a parameter, because the session check is composed once.
const highest = raw(`'${highestRole}'`);

/**
 * The condition that the impersonator can still use the session: the user has a lower role than the impersonator. A
 * superadmin must still be an active superadmin, and must not have ended all own sessions since the session was opened.
 */
const isImpersonatorEntitled = sql`
  users.role <> ${highest} and (sessions.impersonator_type = 'operator'
    or (impersonator.role = ${highest} and impersonator.status = 'active'
      and impersonator.session_epoch = sessions.impersonator_epoch))`;

/**
 * The condition that a session is in the current epoch of its account, and that the impersonator of an impersonated
 * session is still entitled. Needs `joinUsers`.
 */
export const isValid = sql`(
    ${isOfCurrentEpoch(sql`sessions.epoch`)}
    or (sessions.impersonator_type is not null and sessions.epoch = -1 - users.session_epoch
      and ${isImpersonatorEntitled}))`;

/**
 * Statements repeat the check `isValid`. The in-memory database has no concurrent statements, so it removes this exact
 * text from each statement. It must not remove `isValid`. Therefore, the two have different texts: the operands of the
 * first comparison are in the opposite order.
 */
export const andStillValid = sql`and (users.session_epoch = sessions.epoch
    or (sessions.impersonator_type is not null and users.session_epoch = -1 - sessions.epoch
      and ${isImpersonatorEntitled}))`;
