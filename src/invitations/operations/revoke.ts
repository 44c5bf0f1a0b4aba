import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
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
  const [invitation] = isUuid(id) ? await runtime.db.query<InvitationRow>(selectInvitation(id)) : [];
  if (!invitation) throw new AuthError('not_found');
  const target = { type: 'invitation', id, name: invitation.invited_username } as const;
  const [row] = await runtime.db.query<{ revoked_id: string | null }>(sql`
    with entitled as (${by.stillEntitled}),
      revoked as (${recordRevocation(id, andExists('entitled'))}),
      entry as (${recordEvent(by.actor, { event, outcome: 'success', target }, from('revoked'))})
    select revoked.id as revoked_id from entitled left join revoked on true`);
  if (!row) return refuseUnentitled(runtime, by, { event, target });
  if (row.revoked_id !== null) return;
  // The invitation is already accepted or revoked, possibly by a concurrent request.
  const [now] = await runtime.db.query<InvitationRow>(selectInvitation(id));
  if (now?.invitation_status !== 'accepted') return;
  const code = 'invitation_already_accepted';
  await refuse(runtime, by.actor, { event, code, reason: code, target });
}
