import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { type AccountPasskeyRow, descriptorsFromRows, selectOfAccount } from '../../passkeys/store.ts';
import { deleteLink } from '../../recovery/store.ts';
import { refuseUnprivileged, selectPrivilegedSession } from '../../sessions/session-checks.ts';
import { endOtherSessions } from '../../sessions/store/ending.ts';
import { claimVersionForPassword } from '../../users/store/versions.ts';
import { mayRemovePassword } from '../rules.ts';

/**
 * Removes the password of the actor's account, unless it is the last sign-in method. Ends all other sessions (ASVS
 * 7.4.3) and cancels unfinished recoveries.
 *
 * @returns the account's new session epoch
 * @throws AuthError `not_found` | `last_credential` | `not_authenticated` if the session has ended | `passkey_required`
 * @throws AuthError `unavailable` if other requests keep changing the account
 */
export async function removePassword(runtime: Runtime, actor: SignedInActor): Promise<number> {
  const { id, username } = actor.user;
  const event = 'password.remove';
  const target = { type: 'user', id, name: username } as const;
  return retryVersionConflicts(async () => {
    const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(id));
    const [account] = rows;
    if (!account?.has_password) throw new AuthError('not_found');
    if (!mayRemovePassword({ passkeys: descriptorsFromRows(rows).length })) {
      return refuse(runtime, actor, { event, code: 'last_credential', reason: 'last_credential', target });
    }
    const [row] = await runtime.db.query<{ session_epoch: number | null }>(sql`
      with live as (${selectPrivilegedSession(runtime, actor)}),
        claimed as (${claimVersionForPassword(id, account.version, null, andExists('live'))}),
        ${endOtherSessions(actor, 'claimed')},
        canceled_link as (${deleteLink(id, andExists('claimed'))}),
        entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('claimed'))})
      select claimed.session_epoch from live left join claimed on true`);
    if (!row) return refuseUnprivileged(runtime, actor, { event, target });
    return row.session_epoch ?? versionConflict;
  });
}
