import type { AuditEventName } from '../../audit/event-names.ts';
import { refuseStillReferenced } from '../../audit/operations/refuse-still-referenced.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { revokeInvitationsCreatedBy } from '../../invitations/store.ts';
import { revokeOrganizationInvitationsOfDeletedUser } from '../../organizations/invitations/store/revocations.ts';
import { deleteMembershipsOf, moveOrganizationsOfAdmin } from '../../organizations/store.ts';
import { deletePasskeysOf } from '../../passkeys/store.ts';
import { cancelRecoveriesHelpedBy } from '../../recovery/cancel-recoveries.ts';
import { deleteCodes, deleteLink } from '../../recovery/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { sessionChecks } from '../../sessions/session-checks.ts';
import { deleteSessionsOf } from '../../sessions/store/ending.ts';
import { claimVersionToDelete } from '../../users/store/versions.ts';
import { lastSuperadminGuard, readGuardedUser, refuseForLastSuperadmin } from './last-superadmin-guard.ts';

/**
 * Deletes a user with all credentials, sessions and memberships. Cancels the recovery links and revokes the invitations
 * that the user created. Also revokes the organization invitations that the user received. The username stays taken,
 * and the audit log keeps the user's events. The last active superadmin cannot be deleted. Tables of the application can
 * depend on the user: the statement deletes the id from `user_ids`, which these tables can reference.
 *
 * @throws AuthError `not_found` | `last_superadmin` | `still_referenced`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or their role changes during the call
 */
export const deleteUser = (runtime: Runtime, by: Entitled<'user:manage'>, userId: string): Promise<void> =>
  deleteAccount(runtime, by, userId, 'user.delete');

/**
 * Deletes the actor's own account.
 *
 * @throws AuthError `last_superadmin` | `still_referenced` | `not_found`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or their role changes during the call
 */
export const deleteOwnAccount = (runtime: Runtime, actor: SignedInActor): Promise<void> =>
  deleteAccount(runtime, sessionChecks(runtime, actor, 'privileged'), actor.user.id, 'account.delete');

type Checks = Pick<Entitled<'user:manage'>, 'actor' | 'stillEntitled' | 'stillSignedIn' | 'stillPrivileged'>;

async function deleteAccount(
  runtime: Runtime,
  by: Checks,
  userId: string,
  event: Extract<AuditEventName, 'account.delete' | 'user.delete'>,
): Promise<void> {
  const { actor } = by;
  await retryVersionConflicts(async () => {
    const guarded = await readGuardedUser(runtime, userId);
    const target = { type: 'user', id: userId, name: guarded.user.username } as const;
    await refuseForLastSuperadmin(runtime, actor, guarded, { event, target });
    const statement = sql`
      with entitled as (${by.stillEntitled}),
        guarded as (${lastSuperadminGuard(guarded)}),
        changed as (${claimVersionToDelete(userId, guarded.version, andExists('guarded'))}),
        ended as (${deleteSessionsOf(userId, andExists('changed'))}),
        passkeys as (${deletePasskeysOf(userId, andExists('changed'))}),
        codes as (${deleteCodes(userId, andExists('changed'))}),
        link as (${deleteLink(userId, andExists('changed'))}),
        ${cancelRecoveriesHelpedBy(userId, andExists('changed'))},
        revoked_invitations as (${revokeInvitationsCreatedBy(userId, andExists('changed'))}),
        revoked_organization_invitations as (${revokeOrganizationInvitationsOfDeletedUser(userId, andExists('changed'))}),
        organizations as (${moveOrganizationsOfAdmin(userId, andExists('changed'))}),
        memberships as (${deleteMembershipsOf(userId, andExists('changed'))}),
        entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('changed'))})
      select changed.user_id from entitled left join changed on true`;
    const [row] = await refuseStillReferenced(runtime, actor, { event, target }, () =>
      runtime.db.query<{ user_id: string | null }>(statement),
    );
    if (!row) return refuseUnentitled(runtime, by, { event, target });
    return row.user_id === null ? versionConflict : undefined;
  });
}
