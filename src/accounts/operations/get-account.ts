import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { StoredFields } from '../../core/user-fields.ts';
import { sql } from '../../db/sql.ts';
import { countByUser } from '../../passkeys/store.ts';
import { codeKeyIds } from '../../recovery/code.ts';
import { pendingLinkFromRow } from '../../recovery/link.ts';
import type { PendingRecoveryLink } from '../../recovery/recovery.ts';
import { countUsableCodes, type PendingLinkRow, selectPendingLink } from '../../recovery/store.ts';
import { type FieldsRow, selectUser, type UserRow, userFromRow } from '../../users/store.ts';
import type { Account } from '../account.ts';

type AccountRow = UserRow &
  FieldsRow & { has_password: boolean; disabled_reason: string | null; passkeys: string; codes: string } & (
    | PendingLinkRow
    | { link_created_at: null }
  );

/** An account and its pending recovery link. */
export interface AccountState {
  account: Account;
  /** All own fields. A response must contain only those that the caller can read. */
  fields: StoredFields;
  recoveryLink: PendingRecoveryLink | null;
  /** Why the user is disabled. Only superadmins and operators can read it. Null: no reason was given, or the user is active. */
  disabledReason: string | null;
}

/** Reads an account in one round trip. @param missingCode the error code if the account does not exist */
export async function readAccount(
  runtime: Runtime,
  userId: string,
  missingCode: 'not_authenticated' | 'not_found',
): Promise<AccountState> {
  const [row] = await runtime.db.query<AccountRow>(sql`
    with account as (${selectUser(userId)}),
      passkey as (${countByUser(userId)}),
      code as (${countUsableCodes(userId, codeKeyIds(runtime.sealer))}),
      link as (${selectPendingLink(userId)})
    select account.*, passkey.passkeys, code.codes, link.*
    from account
    join passkey on true
    join code on true
    left join link on true`);
  if (!row) throw new AuthError(missingCode);
  return {
    account: {
      ...userFromRow(row),
      hasPassword: row.has_password,
      passkeyCount: Number(row.passkeys),
      recoveryCodesRemaining: Number(row.codes),
    },
    fields: row.fields,
    disabledReason: row.disabled_reason,
    recoveryLink: row.link_created_at === null ? null : pendingLinkFromRow(row),
  };
}
