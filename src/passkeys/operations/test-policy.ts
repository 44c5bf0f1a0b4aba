import type { Runtime } from '../../core/runtime.ts';
import { type Role, roles } from '../../core/user.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { selectActiveAfter } from '../../users/store/figures.ts';
import { authenticatorName } from '../authenticator-names.ts';
import type { AuthenticatorReport, UserWithExcludedPasskeys } from '../authenticator-report.ts';
import { type PasskeyToTestRow, passkeyOfModel, selectPasskeysToTest } from '../store/models.ts';
import { findObstacle, hasPolicy } from './check-authenticator.ts';

const batch = 2000;
const maxUsers = 1000;
const beforeFirst = '00000000-0000-0000-0000-000000000000';

/**
 * Lists the users with passkeys that the policy excludes, so that an operator can see this before the policy is used.
 * Reads all passkeys of active users in batches, because only code can apply the policy.
 */
export async function testPolicy(runtime: Runtime, _: Entitled<'user:read'>): Promise<AuthenticatorReport> {
  const found: Record<Role, UserWithExcludedPasskeys[]> = { user: [], admin: [], superadmin: [] };
  const counts = { total: 0, shutOut: 0 };
  let after: string | null = roles.some((role) => hasPolicy(runtime, role)) ? beforeFirst : null;
  while (after !== null) {
    const users = await runtime.db.query<{ id: string }>(selectActiveAfter(after, batch));
    const rows = await runtime.db.query<PasskeyToTestRow>(selectPasskeysToTest(after, batch));
    for (const passkeys of byUser(rows)) {
      const user = await testUser(runtime, passkeys);
      if (user === null) continue;
      counts.total += 1;
      if (user.isShutOut) counts.shutOut += 1;
      if (found[user.role].length < maxUsers) found[user.role].push(user);
    }
    after = users.length < batch ? null : (users.at(-1)?.id ?? null);
  }
  return {
    users: [...found.superadmin, ...found.admin, ...found.user].slice(0, maxUsers),
    ...counts,
    checkSignIns: runtime.config.authenticators.checkSignIns,
  };
}

/** Groups rows by user. */
function byUser(rows: readonly PasskeyToTestRow[]): PasskeyToTestRow[][] {
  const groups = new Map<string, PasskeyToTestRow[]>();
  for (const row of rows) groups.set(row.user_id, [...(groups.get(row.user_id) ?? []), row]);
  return [...groups.values()];
}

/** @returns null if the policy allows all passkeys of the user */
async function testUser(
  runtime: Runtime,
  rows: readonly PasskeyToTestRow[],
): Promise<UserWithExcludedPasskeys | null> {
  const [first] = rows;
  if (!first) return null;
  const { user_id: id, username, role, has_password } = first;
  const excluded: UserWithExcludedPasskeys['excluded'] = [];
  for (const row of rows) {
    const obstacle = await findObstacle(runtime, passkeyOfModel(row), role, 'report');
    if (obstacle === null) continue;
    const { id: passkeyId, label, aaguid } = row;
    const provider = runtime.metadata?.modelOf(aaguid)?.name ?? authenticatorName(aaguid);
    excluded.push({ id: passkeyId, label, provider, aaguid, reason: obstacle.reason });
  }
  if (excluded.length === 0) return null;
  const allowed = rows.length - excluded.length;
  return { id, username, role, excluded, allowed, isShutOut: allowed === 0 && !has_password };
}
