import { type Sql, sql, textArray } from '../../db/sql.ts';
import type { ImportedCredential } from '../imported-credential.ts';

/**
 * Inserts passkeys from another system, in the order of their credential ids, for the same reason as
 * `insertImportedAccounts`. The statement must also insert their accounts.
 */
export const insertImportedPasskeys = (credentials: readonly ImportedCredential[]): Sql => sql`
  insert into latchkey.passkeys
    (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label,
     user_handle, learns_user_handle, created_at, last_used_at)
  select given.id, given.user_id, given.credential_id, given.public_key, given.counter, given.transports, given.aaguid,
    given.backup_eligible, given.backed_up, given.label, given.user_handle, given.learns_user_handle,
    coalesce(given.created_at, latchkey.clock()), given.last_used_at
  from jsonb_to_recordset(${JSON.stringify(credentials)}::text::jsonb) as given (
    id uuid, user_id uuid, credential_id text, public_key text, counter bigint, transports jsonb, aaguid uuid,
    backup_eligible boolean, backed_up boolean, label text, user_handle text, learns_user_handle boolean,
    created_at timestamptz, last_used_at timestamptz)
  order by given.credential_id
  returning id`;

/** Selects which of these credential ids and user handles existing passkeys have, like `selectTakenNames`. */
export const selectTakenCredentials = (given: {
  credentialIds: readonly string[];
  userHandles: readonly string[];
}): Sql => sql`
  select 'credential_id' as kind, passkeys.credential_id as value from latchkey.passkeys
  where passkeys.credential_id = any(${textArray(given.credentialIds)})
  union all
  select 'user_handle', passkeys.user_handle from latchkey.passkeys
  where passkeys.user_handle = any(${textArray(given.userHandles)})`;
