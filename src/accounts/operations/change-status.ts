import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { deleteLinksTo } from '../../impersonation-links/store.ts';
import { moveOrganizationsOfAdmin } from '../../organizations/store.ts';
import { cancelRecoveriesOf } from '../../recovery/cancel-recoveries.ts';
import { deleteLink } from '../../recovery/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { deleteSessionsOf } from '../../sessions/store/ending.ts';
import { claimVersionToDisable, claimVersionToEnable } from '../../users/store/versions.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { revokeGrantsBy } from '../revoke-grants.ts';
import { lastSuperadminGuard, readGuardedUser, refuseForLastSuperadmin } from './last-superadmin-guard.ts';

/**
 * Disables a user: blocks sign-in, ends all sessions, and cancels the recovery link of the account. Also cancels the
 * recovery links and revokes the invitations that the user created. The last active superadmin cannot be disabled.
 *
 * Administrators can read the reason. The user cannot. If the user is already disabled, the reason does not change.
 *
 * @param reason as `statedReason` returns it; null: no reason
 * @throws AuthError `not_found` | `last_superadmin`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or their role changes during the call
 */
export async function disableUser(
  runtime: Runtime,
  by: Entitled<'user:manage'>,
  userId: string,
  reason: string | null,
): Promise<User> {
  const event = 'user.disable';
  return retryVersionConflicts(async () => {
    const guarded = await readGuardedUser(runtime, userId);
    const { user, version } = guarded;
    if (user.status === 'disabled') return confirmAnswer(runtime, user);
    const target = { type: 'user', id: userId, name: user.username } as const;
    await refuseForLastSuperadmin(runtime, by.actor, guarded, { event, target });
    const details = reason === null ? {} : { details: { statedReason: reason } };
    const entry = { event, outcome: 'success', target, ...details } as const;
    const [row] = await runtime.db.query<UserRow | { user_id: null }>(sql`
      with entitled as (${by.stillEntitled}),
        guarded as (${lastSuperadminGuard(guarded)}),
        changed as (${claimVersionToDisable(userId, version, reason, andExists('guarded'))}),
        ended as (${deleteSessionsOf(userId, andExists('changed'))}),
        links as (${deleteLinksTo(userId, andExists('changed'))}),
        canceled_link as (${deleteLink(userId, andExists('changed'))}),
        organizations as (${moveOrganizationsOfAdmin(userId, andExists('changed'))}),
        ${revokeGrantsBy(userId, andExists('changed'))},
        entry as (${recordEvent(by.actor, entry, from('changed'))})
      select changed.* from entitled left join changed on true`);
    if (!row) return refuseUnentitled(runtime, by, { event, target });
    return row.user_id === null ? versionConflict : userFromRow(row);
  });
}

/**
 * Enables a disabled user, so that the user can sign in again.
 *
 * While `disableUser` runs, a request of the user can still create recovery links and invitations. So `enableUser`
 * cancels the recovery links and revokes the invitations that the user created. It also cancels unfinished recoveries
 * of the account.
 *
 * @throws AuthError `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or their role changes during the call
 */
export async function enableUser(
  runtime: Runtime,
  by: Entitled<'user:manage'>,
  userId: string,
): Promise<User> {
  const event = 'user.enable';
  return retryVersionConflicts(async () => {
    const { user, version } = await readGuardedUser(runtime, userId);
    if (user.status === 'active') return confirmAnswer(runtime, user);
    const target = { type: 'user', id: userId, name: user.username } as const;
    const [row] = await runtime.db.query<UserRow | { user_id: null }>(sql`
      with entitled as (${by.stillEntitled}),
        changed as (${claimVersionToEnable(userId, version, andExists('entitled'))}),
        ${cancelRecoveriesOf(userId, andExists('changed'))},
        ${revokeGrantsBy(userId, andExists('changed'))},
        entry as (${recordEvent(by.actor, { event, outcome: 'success', target }, from('changed'))})
      select changed.* from entitled left join changed on true`);
    if (!row) return refuseUnentitled(runtime, by, { event, target });
    return row.user_id === null ? versionConflict : userFromRow(row);
  });
}
