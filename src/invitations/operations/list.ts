import { isUuid } from '../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, toPage } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import type { CreatorAndAcceptorRow } from '../../users/store.ts';
import type { Invitation, InvitationStatus } from '../invitation.ts';
import { type InvitationRow, invitationFromRow, selectInvitations } from '../store.ts';

/** Returns one page of invitations, newest first. @throws AuthError `invalid_request` for an invalid cursor */
export async function listInvitations(
  runtime: Runtime,
  _: Entitled<'invitation:manage'>,
  { status, ...page }: PageRequest & { status?: InvitationStatus | undefined },
): Promise<Page<'invitations', Invitation>> {
  const after = keyOfCursor(page, isUuid);
  const rows = await runtime.db.query<InvitationRow & CreatorAndAcceptorRow>(
    selectInvitations({ status, after, limit: page.limit + 1 }),
  );
  return toPage('invitations', rows, page, invitationFromRow, (row) => row.invitation_id);
}
