import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { awaitStandby } from '../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { refuseUnprivileged, selectPrivilegedSession } from '../../sessions/session-checks.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { selectUser } from '../../users/store.ts';
import { codeKeyIds } from '../code.ts';
import { codesGeneratedEntry, newRecoveryCodes, toRecoveryCodes } from '../generated-codes.ts';
import type { RecoveryCodes, RecoveryCodesStatus } from '../recovery.ts';
import { type CodeRow, deleteCodes, deleteCodesExcept, insertCodes, selectCodes } from '../store.ts';

/**
 * Creates new recovery codes, which replace all earlier codes. After concurrent calls, the account has only the codes
 * of one call.
 *
 * @throws AuthError `not_authenticated` if the session has ended | `passkey_required`
 * @throws AuthError `unavailable` if other requests keep changing the account
 */
export async function generateCodes(runtime: Runtime, actor: SignedInActor): Promise<RecoveryCodes> {
  const { id } = actor.user;
  const codes = newRecoveryCodes(runtime, id);
  return retryVersionConflicts(async () => {
    const [account] = await runtime.db.query<{ version: number }>(selectUser(id));
    if (!account) throw new AuthError('not_authenticated');
    const entry = codesGeneratedEntry(codes, actor.user);
    const [row] = await runtime.db.query<{ code_hash: string | null; codes_expire_at: Timestamp | null }>(sql`
      with live as (${selectPrivilegedSession(runtime, actor)}),
        claimed as (${claimVersion(id, account.version, andExists('live'))}),
        replaced as (${deleteCodesExcept(codes.stored.hashes, id, andExists('claimed'))}),
        inserted as (${insertCodes(codes.stored, from('claimed'))}),
        entry as (${recordEvent(actor, entry, from('claimed'))})
      select inserted.code_hash, inserted.codes_expire_at from live left join inserted on true`);
    if (!row) return refuseUnprivileged(runtime, actor, { event: entry.event, target: entry.target });
    return row.code_hash === null ? versionConflict : toRecoveryCodes(codes, row.codes_expire_at);
  });
}

export const readCodesStatus = (runtime: Runtime, actor: SignedInActor): Promise<RecoveryCodesStatus> =>
  readCodesStatusOf(runtime, actor.user.id);

export async function readCodesStatusOf(runtime: Runtime, userId: string): Promise<RecoveryCodesStatus> {
  const rows = await runtime.db.query<CodeRow>(selectCodes(userId, codeKeyIds(runtime.sealer)));
  const [first] = rows;
  return {
    total: rows.length,
    remaining: rows.filter(({ usable }) => usable).length,
    generatedAt: first ? rfc3339(first.created_at) : null,
    expiresAt: first?.expires_at ? rfc3339(first.expires_at) : null,
  };
}

/**
 * Revokes all recovery codes of the actor. Does nothing if there are none.
 *
 * @throws AuthError `not_authenticated` if the session has ended | `passkey_required`
 */
export async function revokeCodes(runtime: Runtime, actor: SignedInActor): Promise<void> {
  const { id, username } = actor.user;
  const entry = {
    event: 'recovery_code.revoke',
    outcome: 'success',
    target: { type: 'user', id, name: username },
  } as const;
  const [row] = await runtime.db.query<{ revoked: boolean }>(sql`
    with live as (${selectPrivilegedSession(runtime, actor)}),
      revoked as (${deleteCodes(id, andExists('live'))}),
      change as (select 1 as one from revoked limit 1),
      entry as (${recordEvent(actor, entry, from('change'))})
    select exists (select 1 from change) as revoked from live`);
  if (!row) return refuseUnprivileged(runtime, actor, { event: entry.event, target: entry.target });
  if (!row.revoked) await awaitStandby(runtime);
}
