import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { isSignedIn } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import { type Role, roles, type User } from '../../core/user.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { deleteLinksTo } from '../../impersonation-links/store.ts';
import { cancelRecoveriesOf } from '../../recovery/cancel-recoveries.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { lifetimesOfNewRole } from '../../sessions/lifetimes.ts';
import { deleteImpersonatedSessions } from '../../sessions/store/ending.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { shortenSessions } from '../../sessions/store/shorten.ts';
import { rotateToken } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { claimVersionForRole } from '../../users/store/versions.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { revokeGrantsBy } from '../revoke-grants.ts';
import { lastSuperadminGuard, readGuardedUser, refuseForLastSuperadmin } from './last-superadmin-guard.ts';

const event = 'user.change_role';

export interface ChangedRole {
  /** The user with the new role. */
  user: User;
  /** The actor's session with a new token, if the actor changed their own role. Otherwise null. */
  opened: OpenedSession | null;
}

/**
 * Changes the role of a user. The role applies from the user's next request on. The last active superadmin cannot be
 * demoted.
 *
 * Shortens the user's sessions to the lifetimes of the new role. Ends the impersonated sessions of the user, and those
 * that the user opened. Deletes the impersonation link to the account.
 *
 * Cancels the recovery links and revokes the invitations that the user created, because the new role can lack the right
 * to create such links and invitations. Cancels every unfinished recovery of the account, so that no recovery gives
 * access to the new role.
 *
 * @throws AuthError `not_found` | `last_superadmin`
 * @throws AuthError `authenticator_not_allowed` if the passkeys of the user do not meet the requirements of the role
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or their role changes during the call
 */
export async function changeRole(
  runtime: Runtime,
  by: Entitled<'role:assign'>,
  userId: string,
  role: Role,
): Promise<ChangedRole> {
  const { actor } = by;
  return retryVersionConflicts(async () => {
    const guarded = await readGuardedUser(runtime, userId);
    const { user, version } = guarded;
    if (user.role === role) return confirmAnswer(runtime, { user, opened: null });
    const target = { type: 'user', id: userId, name: user.username } as const;
    // Changing a superadmin's role is always a demotion.
    await refuseForLastSuperadmin(runtime, actor, guarded, { event, target });
    const isPromotion = roles.indexOf(role) > roles.indexOf(user.role);
    const obstacle = isPromotion ? await runtime.roleObstacle(userId, role) : null;
    if (obstacle !== null) {
      const { reason, message } = obstacle;
      const code = 'authenticator_not_allowed';
      return refuse(runtime, actor, { event, target, code, reason, publicReason: reason, message });
    }
    const entry = { event, outcome: 'success', target, details: { from: user.role, to: role } } as const;
    const token = newSessionToken();
    const lifetimes = lifetimesOfNewRole(role, runtime);
    const ownSessionId = isSignedIn(actor) && actor.user.id === userId ? actor.session.id : null;
    const [row] = await runtime.db.query<ChangedRow>(sql`
      with entitled as (${by.stillEntitled}),
        guarded as (${lastSuperadminGuard(guarded)}),
        changed as (${claimVersionForRole(userId, version, role, andExists('guarded'))}),
        ${cancelRecoveriesOf(userId, andExists('changed'))},
        ${revokeGrantsBy(userId, andExists('changed'))},
        session as (${rotateToken(ownSessionId, token, lifetimes, andExists('changed'))}),
        impersonated as (${deleteImpersonatedSessions(userId, andExists('changed'))}),
        links as (${deleteLinksTo(userId, andExists('changed'))}),
        shortened as (${shortenSessions(userId, ownSessionId, lifetimes, andExists('changed'))}),
        entry as (${recordEvent(actor, entry, from('changed'))})
      select session.*, changed.* from entitled left join changed on true left join session on true`);
    if (!row) return refuseUnentitled(runtime, by, { event, target });
    if (row.user_id === null) return versionConflict;
    const opened = row.session_id === null ? null : openedFromRow(row, token);
    return { user: userFromRow(row), opened };
  });
}

type ChangedRow = (UserRow | { user_id: null }) & (OpenedSessionRow | { session_id: null });
