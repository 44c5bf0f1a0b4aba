import { isUuid } from '../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, pageOf } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import type { InvolvedRow } from '../../users/store.ts';
import type { Invitation, InvitationStatus } from '../invitation.ts';
import { type InvitationRow, invitationFromRow, selectInvitations } from '../store.ts';

/** One page of invitations, the newest first. @throws AuthError `invalid_request` for a cursor that is not ours */
export async function listInvitations(
  runtime: Runtime,
  _: Entitled<'invitation:manage'>,
  { status, ...page }: PageRequest & { status?: InvitationStatus | undefined },
): Promise<Page<Invitation>> {
  const after = keyOfCursor(page, isUuid);
  const rows = await runtime.db.query<InvitationRow & InvolvedRow>(
    selectInvitations({ status, after, limit: page.limit + 1 }),
  );
  return pageOf(rows, page, invitationFromRow, (row) => row.invitation_id);
}
