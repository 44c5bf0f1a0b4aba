import { AuthError } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { hashToken } from '../../../sessions/token.ts';
import type { OrganizationInvitationPreview } from '../organization-invitation.ts';
import { isUsable } from '../rules.ts';
import { creatorFromRow, invitationFromRow, type PresentedRow, selectPresented } from '../store.ts';

/**
 * Returns what an invitation link grants. The caller needs the token, but no session.
 *
 * @throws AuthError `invitation_not_found` | `invitation_unusable`
 */
export async function previewOrganizationInvitation(
  runtime: Runtime,
  token: string,
): Promise<OrganizationInvitationPreview> {
  const presented = { tokenHash: hashToken(token) };
  const [row] = await runtime.db.query<PresentedRow>(selectPresented(presented, null));
  if (!row) throw new AuthError('invitation_not_found');
  const { organization, role, status, createdBy, expiresAt } = invitationFromRow(row);
  if (!isUsable(runtime.grants, { status, role, creator: creatorFromRow(row) }))
    throw new AuthError('invitation_unusable');
  const { signUpMode, signUpOrganizationInvitations } = runtime.config;
  const canSignUp = signUpOrganizationInvitations && signUpMode !== 'closed';
  return { organization: { name: organization.name }, role, createdBy, expiresAt, canSignUp };
}
