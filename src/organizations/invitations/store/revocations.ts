import { type Sql, sql } from '../../../db/sql.ts';
import { isPending } from '../store.ts';

const revoke = (which: Sql, condition: Sql): Sql => sql`
  update latchkey.organization_invitations set revoked_at = latchkey.clock()
  where ${which} and ${isPending} ${condition}
  returning id`;

/** @param condition a condition on an earlier CTE, such as `andExists('entitled')` */
export const revokeInvitation = (id: string, condition: Sql): Sql =>
  revoke(sql`organization_invitations.id = ${id}::uuid`, condition);

/** Revokes pending invitations that a user created in one organization. @param condition as in `revokeInvitation` */
export const revokeInvitationsCreatedIn = (organizationId: string, creatorId: string, condition: Sql): Sql =>
  revoke(
    sql`organization_invitations.organization_id = ${organizationId}::uuid
    and organization_invitations.created_by = ${creatorId}::uuid`,
    condition,
  );

/**
 * Revokes a former member's pending invitations to the organization: those that the former member created, and those
 * that the former member received.
 *
 * @param condition as in `revokeInvitation`
 */
export const revokeInvitationsOfFormerMember = (
  organizationId: string,
  userId: string,
  condition: Sql,
): Sql =>
  revoke(
    sql`organization_invitations.organization_id = ${organizationId}::uuid
    and (organization_invitations.created_by = ${userId}::uuid or organization_invitations.user_id = ${userId}::uuid)`,
    condition,
  );

/** Revokes pending invitations that a user created in any organization. @param condition as in `revokeInvitation` */
export const revokeOrganizationInvitationsCreatedBy = (creatorId: string, condition: Sql): Sql =>
  revoke(sql`organization_invitations.created_by = ${creatorId}::uuid`, condition);

/** Revokes pending invitations that a deleted user created or received. @param condition as in `revokeInvitation` */
export const revokeOrganizationInvitationsOfDeletedUser = (userId: string, condition: Sql): Sql =>
  revoke(
    sql`(organization_invitations.created_by = ${userId}::uuid or organization_invitations.user_id = ${userId}::uuid)`,
    condition,
  );
