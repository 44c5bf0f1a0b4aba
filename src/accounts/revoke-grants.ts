import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { revokeInvitationsCreatedBy } from '../invitations/store.ts';
import { revokeOrganizationInvitationsCreatedBy } from '../organizations/invitations/store/revocations.ts';
import { cancelRecoveriesHelpedBy } from '../recovery/cancel-recoveries.ts';

/**
 * CTEs that cancel the recovery links and revoke the invitations that a user created for other users. The CTEs also end
 * the recovery sessions that those links opened.
 *
 * `changeRole` and `disableUser` include these CTEs, because the user can lose the right to create links and
 * invitations. `enableUser` includes them, because a request of the user can create links and invitations while
 * `disableUser` runs.
 *
 * @param condition a condition on an earlier CTE, such as `andExists('changed')`
 */
export const revokeGrantsBy = (userId: string, condition: Sql): Sql => sql`
  ${cancelRecoveriesHelpedBy(userId, condition)},
  revoked_invitations as (${revokeInvitationsCreatedBy(userId, condition)}),
  revoked_organization_invitations as (${revokeOrganizationInvitationsCreatedBy(userId, condition)})`;
