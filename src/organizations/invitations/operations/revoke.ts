import { refuse } from '../../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../../audit/store.ts';
import { AuthError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/identifiers.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { awaitStandby } from '../../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../../db/sql.ts';
import type { EntitledIn } from '../../entitled-in.ts';
import { canChange, roleAboveOwn, stillEntitledTo } from '../../operations/change-authority.ts';
import { revokeInvitation as recordRevocation } from '../store/revocations.ts';
import { type InvitationRow, invitationFromRow, selectInvitation } from '../store.ts';

const event = 'organization_invitation.revoke';

/**
 * Revokes a pending invitation. The actor needs all capabilities of the role that the invitation grants. Does nothing if
 * the invitation is already revoked, declined or expired.
 *
 * @throws AuthError `not_found` | `invitation_already_accepted`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or the actor's rights change during
 *   the call
 */
export async function revokeOrganizationInvitation(
  runtime: Runtime,
  by: EntitledIn<'organization:members:invite'>,
  id: string,
): Promise<void> {
  const { actor, organization } = by;
  const find = () => runtime.db.query<InvitationRow>(selectInvitation(organization.id, id));
  const [found] = isUuid(id) ? await find() : [];
  if (!found) throw new AuthError('not_found');
  const { username, role } = invitationFromRow(found);
  const target = { type: 'invitation', id, name: username } as const;
  const attempt = { event, target, organizationId: organization.id } as const;
  const change = { taken: role };
  if (!canChange(runtime, by, change)) return refuse(runtime, actor, { ...attempt, ...roleAboveOwn });
  const entry = { ...attempt, outcome: 'success', details: { role } } as const;
  const [row] = await runtime.db.query<{ revoked_id: string | null }>(sql`
    with entitled as (${stillEntitledTo(runtime, by, change)}),
      revoked as (${recordRevocation(id, andExists('entitled'))}),
      entry as (${recordEvent(actor, entry, from('revoked'))})
    select revoked.id as revoked_id from entitled left join revoked on true`);
  if (!row) return refuseUnentitled(runtime, by, attempt);
  if (row.revoked_id !== null) return;
  // The invitation is no longer pending, possibly because of a concurrent request.
  const [now] = await find();
  if (now?.invitation_status !== 'accepted') return awaitStandby(runtime);
  const code = 'invitation_already_accepted';
  await refuse(runtime, actor, { ...attempt, code, reason: code });
}
