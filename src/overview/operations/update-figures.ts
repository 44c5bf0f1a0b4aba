import type { Runtime } from '../../core/runtime.ts';
import { countSignInHours, saveFigures, selectRecentFigures } from '../store.ts';
import { countUsers } from './count-users.ts';

/** Counts up to `most` hours of sign-ins. Returns how many hours it counted. */
export async function countHours({ db }: Runtime, most: number): Promise<number> {
  const [row] = await db.query<{ counted: number }>(countSignInHours(most));
  return row?.counted ?? 0;
}

/**
 * Counts the accounts, unless a process has counted them within the last hour.
 *
 * @param mayContinue as in `countUsers`
 */
export async function updateUserFigures(runtime: Runtime, mayContinue: () => boolean): Promise<void> {
  if ((await runtime.db.query(selectRecentFigures)).length > 0) return;
  const counted = await countUsers(runtime, mayContinue);
  if (counted) await runtime.db.query(saveFigures(counted.at, counted.figures));
}
