import type { Runtime } from '../core/runtime.ts';
import { sql } from '../db/database.ts';
import { countByUser } from '../passkeys/store.ts';
import { codeKeyIds } from '../recovery/code.ts';
import { countUsableCodes } from '../recovery/store.ts';
import { selectUser } from '../users/store.ts';
import type { User } from '../users/user.ts';
import type { Account } from './account.ts';

/** One's own account: the user with the ways into it. */
export async function readAccount(runtime: Runtime, user: User): Promise<Account> {
  const [row] = await runtime.db.query<{ has_password: boolean; passkeys: string; codes: string }>(sql`
    with account as (${selectUser(user.id)}),
      passkey as (${countByUser(user.id)}),
      code as (${countUsableCodes(user.id, codeKeyIds(runtime.sealer))})
    select account.has_password, passkey.passkeys, code.codes from account, passkey, code`);
  return {
    ...user,
    hasPassword: row?.has_password ?? false,
    passkeyCount: Number(row?.passkeys ?? 0),
    recoveryCodesRemaining: Number(row?.codes ?? 0),
  };
}
