import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/database.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import { selectLiveSession } from '../../sessions/store.ts';
import { onCurrentVersion, overtaken } from '../../users/current-version.ts';
import { claimVersion, selectUser } from '../../users/store.ts';
import { codeHashes, codeKeyIds, newRecoveryCode } from '../code.ts';
import type { RecoveryCodes, RecoveryCodesStatus } from '../recovery.ts';
import { type CodeRow, deleteCodes, deleteCodesBut, insertCodes, selectCodes } from '../store.ts';

const secondsInDay = 24 * 60 * 60;

/**
 * Makes new recovery codes in place of all earlier ones. Two that do so at once do it one after the other: there is
 * never more than one set.
 *
 * @throws AuthError `not_authenticated` where the session has just ended | `unavailable` where the account keeps
 *   changing
 */
export async function generateCodes(runtime: Runtime, actor: SignedInActor): Promise<RecoveryCodes> {
  const { maxRecoveryCodes: total, recoveryCodeExpiryDays: days } = runtime.config;
  const codes = Array.from({ length: total }, newRecoveryCode);
  const hashes = codes.map((code) => codeHashes(runtime.sealer, code)[0]);
  const { id, username } = actor.user;
  const entry = {
    event: 'recovery_code.generate',
    outcome: 'success',
    target: { type: 'user', id, name: username },
    details: { total },
  } as const;
  const made = {
    userId: id,
    hashes,
    keyId: codeKeyIds(runtime.sealer)[0],
    recoverySessionId: actor.session.kind === 'recovery' ? actor.session.id : null,
    expirySeconds: days === 0 ? null : days * secondsInDay,
  };

  return onCurrentVersion(async () => {
    const [account] = await runtime.db.query<{ version: number }>(selectUser(id));
    if (!account) throw new AuthError('not_authenticated');
    const [row] = await runtime.db.query<{ code_hash: string | null; expires_at: Timestamp | null }>(sql`
      with live as (${selectLiveSession(actor.session.id)}),
        claimed as (${claimVersion(id, account.version, andExists('live'))}),
        earlier as (${deleteCodesBut(hashes, id, andExists('claimed'))}),
        made as (${insertCodes(made, from('claimed'))}),
        entry as (${recordEvent(actor, entry, from('claimed'))})
      select made.code_hash, made.expires_at from live left join made on true`);
    if (!row) throw new AuthError('not_authenticated');
    if (row.code_hash === null) return overtaken;
    return { codes, total, expiresAt: row.expires_at && rfc3339(row.expires_at) };
  });
}

/** How many codes the caller has left. */
export async function readCodesStatus(runtime: Runtime, actor: SignedInActor): Promise<RecoveryCodesStatus> {
  const rows = await runtime.db.query<CodeRow>(selectCodes(actor.user.id, codeKeyIds(runtime.sealer)));
  const [first] = rows;
  return {
    total: rows.length,
    remaining: rows.filter(({ usable }) => usable).length,
    generatedAt: first ? rfc3339(first.created_at) : null,
    expiresAt: first?.expires_at ? rfc3339(first.expires_at) : null,
  };
}

/**
 * Takes all of the caller's codes away; there may be none.
 *
 * @throws AuthError `not_authenticated` where the session has just ended
 */
export async function revokeCodes(runtime: Runtime, actor: SignedInActor): Promise<void> {
  const { id, username } = actor.user;
  const entry = {
    event: 'recovery_code.revoke',
    outcome: 'success',
    target: { type: 'user', id, name: username },
  } as const;
  const [row] = await runtime.db.query(sql`
    with live as (${selectLiveSession(actor.session.id)}),
      revoked as (${deleteCodes(id, andExists('live'))}),
      change as (select 1 as one from revoked limit 1),
      entry as (${recordEvent(actor, entry, from('change'))})
    select id from live`);
  if (!row) throw new AuthError('not_authenticated');
}
