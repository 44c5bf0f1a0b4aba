import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { fitsRule } from '../../users/rules.ts';
import { selectUsernames } from '../../users/store/search.ts';

const batch = 5000;

/**
 * Counts the users whose usernames the configured rule does not allow, because they signed up under another rule. Reads
 * all usernames in batches, because only code can apply the rule: it can contain a function of the application.
 */
export async function countOtherUsernames(
  { config, db }: Runtime,
  _: Entitled<'user:read'>,
): Promise<number> {
  let count = 0;
  let after = '';
  for (;;) {
    const rows = await db.query<{ username: string }>(selectUsernames(after, batch));
    count += rows.filter(({ username }) => !fitsRule(username, config.usernames)).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return count;
    after = last.username;
  }
}
