import type { Runtime } from '../core/runtime.ts';
import { countByUser } from '../passkeys/store.ts';
import type { User } from '../users/user.ts';
import type { Account } from './account.ts';

/** One's own account: the user with the ways into it. */
export async function readAccount(runtime: Runtime, user: User): Promise<Account> {
  const [row] = await runtime.db.query<{ passkeys: string | number }>(countByUser(user.id));
  // Passwords and recovery codes come with their features; until then an account has none.
  return { ...user, hasPassword: false, passkeyCount: Number(row?.passkeys ?? 0), recoveryCodesRemaining: 0 };
}
