import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { isSignedIn } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { awaitStandby } from '../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type InvitationRow, revokeInvitation as recordRevocation, selectInvitation } from '../store.ts';

const event = 'invitation.revoke';

/**
 * Revokes an invitation. Does nothing if the invitation is already revoked.
 *
 * @throws AuthError `not_found` | `invitation_already_accepted`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or role changes during the call
 */
export async function revokeInvitation(
  runtime: Runtime,
  by: Entitled<'invitation:manage'>,
  id: string,
): Promise<void> {
  const invitation = await findInvitation(runtime, id);
  return revoke(runtime, by, invitation);
}

/**
 * Revokes a user invitation that the actor created. For every other invitation, throws the same error as for an unknown
 * id.
 *
 * @throws the errors of `revokeInvitation`
 */
export async function revokeUserInvitation(
  runtime: Runtime,
  by: Entitled<'user:invite'>,
  id: string,
): Promise<void> {
  const { actor } = by;
  const invitation = await findInvitation(runtime, id);
  const isOwn = isSignedIn(actor) && invitation.created_by === actor.user.id;
  if (invitation.invited_role !== 'user' || !isOwn) {
    const target = { type: 'invitation', id, name: null } as const;
    return refuse(runtime, actor, { event, code: 'not_found', reason: 'not_own_user_invitation', target });
  }
  return revoke(runtime, by, invitation);
}

async function findInvitation({ db }: Runtime, id: string): Promise<InvitationRow> {
  const [invitation] = isUuid(id) ? await db.query<InvitationRow>(selectInvitation(id)) : [];
  if (!invitation) throw new AuthError('not_found');
  return invitation;
}

async function revoke(
  runtime: Runtime,
  by: Entitled<'invitation:manage' | 'user:invite'>,
  { invitation_id: id, invited_username: name }: InvitationRow,
): Promise<void> {
  const target = { type: 'invitation', id, name } as const;
  const [row] = await runtime.db.query<{ revoked_id: string | null }>(sql`
    with entitled as (${by.stillEntitled}),
      revoked as (${recordRevocation(id, andExists('entitled'))}),
      entry as (${recordEvent(by.actor, { event, outcome: 'success', target }, from('revoked'))})
    select revoked.id as revoked_id from entitled left join revoked on true`);
  if (!row) return refuseUnentitled(runtime, by, { event, target });
  if (row.revoked_id !== null) return;
  // The invitation is already accepted or revoked, possibly by a concurrent request.
  const [now] = await runtime.db.query<InvitationRow>(selectInvitation(id));
  if (now?.invitation_status !== 'accepted') return awaitStandby(runtime);
  const code = 'invitation_already_accepted';
  await refuse(runtime, by.actor, { event, code, reason: code, target });
}
