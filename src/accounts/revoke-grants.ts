import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { revokeInvitationsCreatedBy } from '../invitations/store.ts';
import { revokeOrganizationInvitationsCreatedBy } from '../organizations/invitations/store.ts';
import { cancelRecoveriesHelpedBy } from '../recovery/cancel-recoveries.ts';

/**
 * CTEs that void everything a user created for other users: recovery links, the recovery sessions that they opened, and
 * invitations. Every change of a user's role or status includes them, because the user may have lost the right to them.
 *
 * @param condition on an earlier CTE of the statement, starting with `and`
 */
export const revokeGrantsBy = (userId: string, condition: Sql): Sql => sql`
  ${cancelRecoveriesHelpedBy(userId, condition)},
  revoked_invitations as (${revokeInvitationsCreatedBy(userId, condition)}),
  revoked_organization_invitations as (${revokeOrganizationInvitationsCreatedBy(userId, condition)})`;
