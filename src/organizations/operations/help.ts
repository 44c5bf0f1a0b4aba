import type { Runtime } from '../../core/runtime.ts';
import { noRow, oneRow, type Sql } from '../../db/sql.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { type HelpCase, type HelpObstacle, obstacleToHelp } from '../../roles/rules.ts';
import { selectHelpableBy, selectMembershipsForHelper } from '../store/managed.ts';

/** Calls `obstacleToHelp`. Reads the user's memberships first, if the rule depends on them. */
export async function readObstacleToHelp(
  runtime: Runtime,
  { helper, reach, user }: Omit<HelpCase, 'memberships'>,
): Promise<HelpObstacle | null> {
  const rows =
    reach === 'managed'
      ? await runtime.db.query<{ member_role: OrganizationRole; managed: boolean }>(
          selectMembershipsForHelper(user.id, helper.id),
        )
      : [];
  const memberships = rows.map(({ member_role: role, managed }) => ({ role, managedByHelper: managed }));
  return obstacleToHelp({ helper, reach, user, memberships });
}

/**
 * Repeats the check of the user's role and memberships inside a statement. Returns a row if the helper still has the
 * right to help the user. With the reach `any`, always returns a row. Without a reach (null), never returns one.
 */
export const selectStillHelpable = (
  { helper, reach }: Pick<HelpCase, 'helper' | 'reach'>,
  userId: string,
): Sql => {
  if (reach === 'any') return oneRow;
  return reach === 'managed' ? selectHelpableBy(helper.id, userId) : noRow;
};
