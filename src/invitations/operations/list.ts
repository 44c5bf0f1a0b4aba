import { isSignedIn } from '../../core/actor.ts';
import { isUuid } from '../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, toPage } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import type { CreatorAndAcceptorRow } from '../../users/store.ts';
import type { Invitation, InvitationStatus, InvitedRole } from '../invitation.ts';
import { type InvitationRow, invitationFromRow, selectInvitations } from '../store.ts';

export interface InvitationSearch extends PageRequest {
  status?: InvitationStatus | undefined;
  role?: InvitedRole | undefined;
}

/** Returns one page of invitations, newest first. @throws AuthError `invalid_request` for an invalid cursor */
export const listInvitations = (
  runtime: Runtime,
  _: Entitled<'invitation:manage'>,
  search: InvitationSearch,
): Promise<Page<'invitations', Invitation>> => readPage(runtime, search);

/**
 * Returns one page of the user invitations that the actor created, newest first.
 *
 * @throws AuthError `invalid_request` for an invalid cursor
 */
export const listUserInvitations = (
  runtime: Runtime,
  { actor }: Entitled<'user:invite'>,
  search: Omit<InvitationSearch, 'role'>,
): Promise<Page<'invitations', Invitation>> =>
  readPage(runtime, { ...search, role: 'user', ...(isSignedIn(actor) && { createdBy: actor.user.id }) });

async function readPage(
  runtime: Runtime,
  { status, role, createdBy, ...page }: InvitationSearch & { createdBy?: string },
): Promise<Page<'invitations', Invitation>> {
  const after = keyOfCursor(page, isUuid);
  const rows = await runtime.db.query<InvitationRow & CreatorAndAcceptorRow>(
    selectInvitations({ status, role, createdBy, after, limit: page.limit + 1 }),
  );
  return toPage('invitations', rows, page, invitationFromRow, (row) => row.invitation_id);
}
