import type { Runtime } from '../../core/runtime.ts';
import { oneRow, type Sql } from '../../db/sql.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { type HelpCase, type HelpObstacle, obstacleToHelp, reachOf } from '../../roles/rules.ts';
import { selectHelpableBy, selectMembershipsForHelper } from '../store.ts';

/** Calls `obstacleToHelp`. Reads the user's memberships first, if the rule for the helper's role depends on them. */
export async function readObstacleToHelp(
  runtime: Runtime,
  helper: HelpCase['helper'],
  user: HelpCase['user'],
): Promise<HelpObstacle | null> {
  const rows = dependsOnMemberships(helper)
    ? await runtime.db.query<{ member_role: OrganizationRole; managed: boolean }>(
        selectMembershipsForHelper(user.id, helper.id),
      )
    : [];
  const memberships = rows.map(({ member_role: role, managed }) => ({ role, managedByHelper: managed }));
  return obstacleToHelp({ helper, user, memberships });
}

/**
 * Repeats the check of the user's role and memberships inside a statement. Returns a row if the helper still has the
 * right to help the user. If the rule for the helper's role does not depend on memberships, always returns a row.
 */
export const selectStillHelpable = (helper: HelpCase['helper'], userId: string): Sql =>
  dependsOnMemberships(helper) ? selectHelpableBy(helper.id, userId) : oneRow;

const dependsOnMemberships = (helper: HelpCase['helper']): boolean =>
  reachOf(helper, 'user:recover') === 'managed';
