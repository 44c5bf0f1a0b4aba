import { refuse } from '../../../audit/operations/refuse.ts';
import { recordEvent } from '../../../audit/store.ts';
import type { SignedInActor } from '../../../core/actor.ts';
import { AuthError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/identifiers.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { awaitStandby } from '../../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../../db/version-conflict.ts';
import { selectLiveSession } from '../../../sessions/store.ts';
import { obstacleToDeclining } from '../rules.ts';
import { invitationFromRow, type PresentedRow, recordDecline, selectPresented } from '../store.ts';

const event = 'organization_invitation.decline';

/**
 * Declines an invitation that the actor received. Does nothing if the invitation is already declined.
 *
 * @throws AuthError `invitation_not_found` | `invitation_already_accepted` | `invitation_unusable`
 * @throws AuthError `not_authenticated` if the session ends during the call
 */
export async function declineInvitation(runtime: Runtime, actor: SignedInActor, id: string): Promise<void> {
  const { user, session } = actor;
  await retryVersionConflicts(async () => {
    const [row] = isUuid(id)
      ? await runtime.db.query<PresentedRow>(selectPresented({ id, userId: user.id }, user.id))
      : [];
    if (!row) {
      const target = { type: 'invitation', id: isUuid(id) ? id : null, name: null } as const;
      const code = 'invitation_not_found';
      return refuse(runtime, actor, { event, target, code, reason: 'invitation_unknown' });
    }
    const { username, status, role, organization } = invitationFromRow(row);
    if (status === 'declined') return awaitStandby(runtime);
    const target = { type: 'invitation', id, name: username } as const;
    const attempt = { event, target, organizationId: organization.id } as const;
    const code = obstacleToDeclining(status);
    if (code) return refuse(runtime, actor, { ...attempt, code, reason: code });
    const entry = { ...attempt, outcome: 'success', details: { role } } as const;
    const [done] = await runtime.db.query<{ declined_id: string | null }>(sql`
      with live as (${selectLiveSession(session.id)}),
        declined as (${recordDecline(id, andExists('live'))}),
        entry as (${recordEvent(actor, entry, from('declined'))})
      select declined.id as declined_id from live left join declined on true`);
    if (!done) throw new AuthError('not_authenticated');
    return done.declined_id === null ? versionConflict : undefined;
  });
}
