import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { deleteLink } from '../../recovery/store.ts';
import { refuseUnprivileged, selectPrivilegedSession } from '../../sessions/session-checks.ts';
import { endOtherSessions } from '../../sessions/store/ending.ts';
import { selectLiveSession } from '../../sessions/store.ts';
import { claimVersionToEndSessions } from '../../users/store/versions.ts';
import type { Passkey } from '../passkey.ts';
import { mayRemovePasskey } from '../rules.ts';
import {
  type AccountPasskeyRow,
  deletePasskey,
  type PasskeyRow,
  passkeyFromRow,
  selectByUser,
  selectOfAccount,
  updateLabel,
} from '../store.ts';

const keepPassword = { keepPassword: true } as const;

/** Returns the actor's passkeys, oldest first. */
export async function listPasskeys(runtime: Runtime, actor: SignedInActor): Promise<Passkey[]> {
  return (await runtime.db.query<PasskeyRow>(selectByUser(actor.user.id))).map((row) =>
    passkeyFromRow(row, actor.session.passkeyId),
  );
}

/**
 * Changes the label of one of the actor's passkeys.
 *
 * @throws AuthError `not_found` | `not_authenticated` if the session has ended
 */
export async function renamePasskey(
  runtime: Runtime,
  actor: SignedInActor,
  passkeyId: string,
  label: string,
): Promise<Passkey> {
  if (!isUuid(passkeyId)) throw new AuthError('not_found');
  const target = { type: 'passkey', id: passkeyId, name: label } as const;
  const [row] = await runtime.db.query<PasskeyRow>(sql`
    with live as (${selectLiveSession(actor.session.id)}),
      renamed as (${updateLabel(actor.user.id, passkeyId, label, andExists('live'))}),
      entry as (${recordEvent(actor, { event: 'passkey.rename', outcome: 'success', target }, from('renamed'))})
    select renamed.* from live left join renamed on true`);
  if (!row) throw new AuthError('not_authenticated');
  if (!row.passkey_id) throw new AuthError('not_found');
  return passkeyFromRow(row, actor.session.passkeyId);
}

type RemovedRow = { removed_id: string; session_epoch: number } | { removed_id: null };

/**
 * Removes one of the actor's passkeys, unless it is the last sign-in method. Ends all other sessions (ASVS 7.4.3) and
 * cancels unfinished recoveries.
 *
 * The decision depends on all sign-in methods of the account, so the statement writes only if the account's version is
 * unchanged.
 *
 * @returns the account's new session epoch
 * @throws AuthError `not_found` | `last_credential` | `not_authenticated` if the session has ended | `passkey_required`
 * @throws AuthError `unavailable` if other requests keep changing the account
 */
export async function removePasskey(
  runtime: Runtime,
  actor: SignedInActor,
  passkeyId: string,
): Promise<number> {
  return retryVersionConflicts(async () => {
    const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(actor.user.id));
    const passkey = rows.find((row) => row.passkey_id === passkeyId);
    if (!passkey) throw new AuthError('not_found');
    const event = 'passkey.remove';
    const target = { type: 'passkey', id: passkeyId, name: passkey.label } as const;
    if (!mayRemovePasskey({ passkeys: rows.length, hasPassword: passkey.has_password })) {
      return refuse(runtime, actor, { event, code: 'last_credential', reason: 'last_credential', target });
    }
    const [row] = await runtime.db.query<RemovedRow>(sql`
      with live as (${selectPrivilegedSession(runtime, actor)}),
        claimed as (${claimVersionToEndSessions(actor.user.id, passkey.version, keepPassword, andExists('live'))}),
        ${endOtherSessions(actor, 'claimed', passkeyId)},
        canceled_link as (${deleteLink(actor.user.id, andExists('claimed'))}),
        removed as (${deletePasskey(actor.user.id, passkeyId, andExists('claimed'))}),
        entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('removed'))})
      select removed.removed_id, claimed.session_epoch
      from live left join claimed on true left join removed on true`);
    if (!row) return refuseUnprivileged(runtime, actor, { event, target });
    return row.removed_id === null ? versionConflict : row.session_epoch;
  });
}
