import type { Runtime } from '../core/runtime.ts';
import type { User } from '../core/user.ts';
import { type Sql, sql } from '../db/sql.ts';
import { readObstacleToHelp, selectStillHelpable } from '../organizations/operations/help.ts';
import type { HelpCase } from '../roles/rules.ts';
import { selectActiveInRole } from '../users/store.ts';
import type { LinkMakerRow } from './store.ts';

/** Who made a recovery link: a user, an operator, or a user whose account is gone. */
export type LinkMaker = HelpCase['helper'] | 'operator' | 'gone';

export const makerOf = ({
  maker_id: id,
  maker_role: role,
  maker_status: status,
}: LinkMakerRow): LinkMaker => {
  if (id === null) return 'operator';
  return role === null || status === null ? 'gone' : { id, role, status };
};

/** Whether the maker of a link may help the user now. An operator always may. */
export async function mayMakerHelp(runtime: Runtime, maker: LinkMaker, user: User): Promise<boolean> {
  if (maker === 'operator') return true;
  if (maker === 'gone') return false;
  return (await readObstacleToHelp(runtime, maker, user)) === null;
}

/** Repeats `mayMakerHelp` inside a statement: a row if the maker is still active in their role and may still help. */
export function selectMakerEntitled(maker: LinkMaker, userId: string): Sql {
  if (maker === 'operator') return sql`select 1 as id`;
  // No user has a null id.
  if (maker === 'gone') return selectActiveInRole(null, null);
  return sql`${selectActiveInRole(maker.id, maker.role)} and exists (${selectStillHelpable(maker, userId)})`;
}
