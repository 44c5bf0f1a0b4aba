import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { sql } from '../db/database.ts';
import { countByUser } from '../passkeys/store.ts';
import { codeKeyIds } from '../recovery/code.ts';
import { countUsableCodes } from '../recovery/store.ts';
import { selectUser, type UserRow, userFromRow } from '../users/store.ts';
import type { Account } from './account.ts';

interface AccountRow extends UserRow {
  has_password: boolean;
  passkeys: string;
  codes: string;
}

/** Somebody's account: the user with the ways into it. @param gone what is thrown where there is none (any more) */
export async function readAccount(
  runtime: Runtime,
  userId: string,
  gone: 'not_authenticated' | 'not_found',
): Promise<Account> {
  const [row] = await runtime.db.query<AccountRow>(sql`
    with account as (${selectUser(userId)}),
      passkey as (${countByUser(userId)}),
      code as (${countUsableCodes(userId, codeKeyIds(runtime.sealer))})
    select account.*, passkey.passkeys, code.codes from account, passkey, code`);
  if (!row) throw new AuthError(gone);
  return {
    ...userFromRow(row),
    hasPassword: row.has_password,
    passkeyCount: Number(row.passkeys),
    recoveryCodesRemaining: Number(row.codes),
  };
}
