import type { AuditEventName } from '../../audit/event-names.ts';
import { recordEvent } from '../../audit/store.ts';
import { refuseUnentitled } from '../../authorization/authorize.ts';
import type { Operator, SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/database.ts';
import { revokeInvitationsOf } from '../../invitations/store.ts';
import { revokeOrganizationInvitationsOfDeleted } from '../../organizations/invitations/store.ts';
import { deleteMembershipsOf } from '../../organizations/store.ts';
import { deletePasskeysOf } from '../../passkeys/store.ts';
import { deleteCodes, deleteLink } from '../../recovery/store.ts';
import { voidHelpBy } from '../../recovery/void-recoveries.ts';
import { deleteSessionsOf } from '../../sessions/store/ending.ts';
import { selectEntitled } from '../../sessions/store.ts';
import { onCurrentVersion, overtaken } from '../../users/current-version.ts';
import { claimVersionToDelete } from '../../users/store.ts';
import { clearance, readStanding, requireDispensable } from './standing.ts';

/**
 * Deletes an account, one's own or somebody else's: credentials, sessions and memberships go. The username stays taken,
 * and the audit log keeps the id. The last active superadmin stays.
 *
 * @throws AuthError `not_found` | `last_superadmin`
 * @throws AuthError `not_authenticated` | `forbidden` where the actor has just lost session or role
 */
export async function deleteUser(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  userId: string,
  event: Extract<AuditEventName, 'account.delete' | 'user.delete'>,
): Promise<void> {
  await onCurrentVersion(async () => {
    const standing = await readStanding(runtime, userId);
    const target = { type: 'user', id: userId, name: standing.person.username } as const;
    await requireDispensable(runtime, actor, standing, { event, target });
    const [row] = await runtime.db.query<{ user_id: string | null }>(sql`
      with entitled as (${selectEntitled(actor)}),
        cleared as (${clearance(standing)}),
        changed as (${claimVersionToDelete(userId, standing.version, andExists('cleared'))}),
        ended as (${deleteSessionsOf(userId, andExists('changed'))}),
        passkeys as (${deletePasskeysOf(userId, andExists('changed'))}),
        codes as (${deleteCodes(userId, andExists('changed'))}),
        link as (${deleteLink(userId, andExists('changed'))}),
        ${voidHelpBy(userId, andExists('changed'))},
        voided_invitations as (${revokeInvitationsOf(userId, andExists('changed'))}),
        voided_offers as (${revokeOrganizationInvitationsOfDeleted(userId, andExists('changed'))}),
        memberships as (${deleteMembershipsOf(userId, andExists('changed'))}),
        entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('changed'))})
      select changed.user_id from entitled left join changed on true`);
    if (!row) return refuseUnentitled(runtime, actor, { event, target });
    return row.user_id === null ? overtaken : undefined;
  });
}
