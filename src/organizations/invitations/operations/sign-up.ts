import { recordEvent } from '../../../audit/store.ts';
import type { Actor } from '../../../core/actor.ts';
import type { Runtime } from '../../../core/runtime.ts';
import type { SignUpInvitation } from '../../../core/sign-up.ts';
import { lowestRole, type NamedUser } from '../../../core/user.ts';
import { andExists, from, type Sql, sql } from '../../../db/sql.ts';
import { insertMembership, lockOrganization } from '../../store.ts';
import type { InvitationCreator } from '../organization-invitation.ts';
import { isUsable } from '../rules.ts';
import {
  creatorFromRow,
  invitationFromRow,
  lockPendingInvitation,
  type PresentedRow,
  recordAcceptance,
  selectPresented,
} from '../store.ts';
import { stillEntitledCreator } from './accept.ts';

/** A usable link to an organization, with its creator. The statement of the sign-up checks the creator again. */
export interface OrganizationInvitationToSignUp extends SignUpInvitation {
  organization: NonNullable<SignUpInvitation['organization']>;
  /** Null: an operator. */
  creator: InvitationCreator | null;
}

/** Returns the invitation whose link contains this token, or why a user cannot sign up with it. */
export async function readOrganizationInvitationToSignUp(
  runtime: Runtime,
  tokenHash: string,
): Promise<OrganizationInvitationToSignUp | 'invitation_not_found' | 'invitation_unusable'> {
  const [row] = await runtime.db.query<PresentedRow>(selectPresented({ tokenHash }, null));
  if (!row) return 'invitation_not_found';
  const { id, organization, role, status, createdBy } = invitationFromRow(row);
  const creator = creatorFromRow(row);
  if (!isUsable(runtime.grants, { status, role, creator })) return 'invitation_unusable';
  return {
    id,
    role: lowestRole,
    username: null,
    createdBy,
    organization: { ...organization, role },
    creator,
  };
}

/**
 * CTEs that lock a pending invitation. `pending_invitation` returns a row if the invitation is still pending, its
 * organization exists, and its creator still has the right to invite. So only one of several concurrent sign-ups and
 * acceptances can use the invitation. The order of the locks is the same as in `acceptPresented`.
 */
export const lockOrganizationInvitation = (
  runtime: Pick<Runtime, 'grants'>,
  { id, organization, creator }: OrganizationInvitationToSignUp,
): Sql => sql`
  organization as (${lockOrganization(organization.id, sql``)}),
      creator as (${stillEntitledCreator(runtime, creator, organization.role)}),
      pending_invitation as (${lockPendingInvitation(id, sql`${andExists('organization')} ${andExists('creator')}`)})`;

/**
 * CTEs that make the new user a member, and record that the new account used the invitation, also in the audit log. For
 * a statement with the CTEs of `lockOrganizationInvitation` and the CTE `account`.
 */
export const acceptLockedOrganizationInvitation = (
  actor: Actor,
  { id, organization: { id: organizationId, role } }: OrganizationInvitationToSignUp,
  user: NamedUser,
): Sql => {
  const target = { type: 'invitation', id, name: null } as const;
  const event = 'organization_invitation.accept';
  const entry = { event, outcome: 'success', target, organizationId, details: { role } } as const;
  return sql`
      member as (${insertMembership({ organizationId, role }, user.id, from('account'))}),
      accepted as (${recordAcceptance(id, user.id, andExists('member'))}),
      acceptance as (${recordEvent(actor, entry, from('accepted'), user)})`;
};
