import type { Runtime } from '../../core/runtime.ts';
import { oneRow, type Sql } from '../../db/sql.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { type HelpCase, type HelpObstacle, obstacleToHelp, reachOf } from '../../roles/rules.ts';
import { selectHelpableBy, selectMembershipsForHelper } from '../store.ts';

/** Applies `obstacleToHelp`. Reads the user's memberships only if the rule depends on them. */
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
 * Repeats the check inside a statement: a row if the helper may still help the user. Always a row if the check does not
 * depend on memberships.
 */
export const selectStillHelpable = (helper: HelpCase['helper'], userId: string): Sql =>
  dependsOnMemberships(helper) ? selectHelpableBy(helper.id, userId) : oneRow;

const dependsOnMemberships = (helper: HelpCase['helper']): boolean =>
  reachOf(helper, 'user:recover') === 'managed';
