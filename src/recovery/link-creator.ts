import type { Grants } from '../core/capability-table.ts';
import type { Runtime } from '../core/runtime.ts';
import type { User } from '../core/user.ts';
import { oneRow, type Sql, sql } from '../db/sql.ts';
import { readObstacleToHelp, selectStillHelpable } from '../organizations/operations/help.ts';
import type { Principal } from '../roles/principal.ts';
import { reachOf } from '../roles/rules.ts';
import { selectActiveInRole } from '../users/store.ts';
import type { LinkCreatorRow } from './store.ts';

/**
 * The creator of a recovery link. `deleted`: the database has no row for the creator. Deleting an account does not
 * cause this, because a deleted account keeps its row.
 */
export type LinkCreator = Pick<Principal, 'id' | 'role' | 'status'> | 'operator' | 'deleted';

export const creatorOf = ({
  creator_id: id,
  creator_role: role,
  creator_status: status,
}: LinkCreatorRow): LinkCreator => {
  if (id === null) return 'operator';
  return role === null || status === null ? 'deleted' : { id, role, status };
};

/** Whether the creator of a recovery link still has the right to help the user. Operators always have this right. */
export async function mayCreatorHelp(runtime: Runtime, creator: LinkCreator, user: User): Promise<boolean> {
  if (creator === 'operator') return true;
  if (creator === 'deleted') return false;
  return (await readObstacleToHelp(runtime, { ...helperOf(runtime.grants, creator), user })) === null;
}

/** Repeats `mayCreatorHelp` inside a statement. Returns a row if the creator still has the right to help the user. */
export function selectCreatorEntitled(
  { grants }: Pick<Runtime, 'grants'>,
  creator: LinkCreator,
  userId: string,
): Sql {
  if (creator === 'operator') return oneRow;
  // Returns no row, because no user has a null id.
  if (creator === 'deleted') return selectActiveInRole(null, null);
  return sql`${selectActiveInRole(creator.id, creator.role)} and exists (${selectStillHelpable(helperOf(grants, creator), userId)})`;
}

const helperOf = (grants: Grants, creator: Exclude<LinkCreator, string>) => ({
  helper: creator,
  reach: reachOf(grants, creator, 'user:recover'),
});
