import type { SignedInActor } from '../../../core/actor.ts';
import { isUuid } from '../../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, toPage } from '../../../core/page.ts';
import type { Runtime } from '../../../core/runtime.ts';
import type { EntitledIn } from '../../entitled-in.ts';
import type { OrganizationInvitation, OrganizationInvitationStatus } from '../organization-invitation.ts';
import { type InvitationRow, invitationFromRow, selectInvitations, selectReceived } from '../store.ts';

/**
 * Returns one page of an organization's invitations, newest first.
 *
 * @throws AuthError `invalid_request` for an invalid cursor
 */
export async function listOrganizationInvitations(
  runtime: Runtime,
  { organization }: EntitledIn<'organization:members:invite'>,
  { status, ...page }: PageRequest & { status?: OrganizationInvitationStatus | undefined },
): Promise<Page<'invitations', OrganizationInvitation>> {
  const after = keyOfCursor(page, isUuid);
  const rows = await runtime.db.query<InvitationRow>(
    selectInvitations({ organizationId: organization.id, status, after, limit: page.limit + 1 }),
  );
  return toPage('invitations', rows, page, invitationFromRow, (row) => row.invitation_id);
}

/**
 * Returns one page of the pending invitations that the actor received, newest first.
 *
 * @throws AuthError `invalid_request` for an invalid cursor
 */
export async function listReceivedInvitations(
  runtime: Runtime,
  { user }: SignedInActor,
  page: PageRequest,
): Promise<Page<'invitations', OrganizationInvitation>> {
  const after = keyOfCursor(page, isUuid);
  const rows = await runtime.db.query<InvitationRow>(
    selectReceived(user.id, { after, limit: page.limit + 1 }),
  );
  return toPage('invitations', rows, page, invitationFromRow, (row) => row.invitation_id);
}
