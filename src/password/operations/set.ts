import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { deleteLink } from '../../recovery/store.ts';
import { refuseUnprivileged, selectPrivilegedSession } from '../../sessions/session-checks.ts';
import { endOtherSessions } from '../../sessions/store/ending.ts';
import { claimVersionForPassword } from '../../users/store/versions.ts';
import { selectUser } from '../../users/store.ts';
import { hashNewPassword } from './hash-new.ts';

/**
 * Sets or replaces the password of the actor's account. Ends all other sessions (ASVS 7.4.3) and cancels unfinished
 * recoveries.
 *
 * @returns whether the account had a password before, and the account's new session epoch
 * @throws AuthError `password_unacceptable` | `not_authenticated` if the session has ended | `passkey_required`
 * @throws AuthError `unavailable` if too many passwords wait to be hashed, or if other requests keep changing the
 *   account
 */
export async function setPassword(
  runtime: Runtime,
  actor: SignedInActor,
  given: string,
): Promise<{ replaced: boolean; epoch: number }> {
  const hash = await hashNewPassword(runtime, actor.user.username, given);

  return retryVersionConflicts(async () => {
    const { id, username } = actor.user;
    const [account] = await runtime.db.query<{ version: number; has_password: boolean }>(selectUser(id));
    if (!account) throw new AuthError('not_authenticated');
    const replaced = account.has_password;
    const entry = {
      event: replaced ? 'password.replace' : 'password.add',
      outcome: 'success',
      target: { type: 'user', id, name: username },
    } as const;
    const [row] = await runtime.db.query<{ session_epoch: number | null }>(sql`
      with live as (${selectPrivilegedSession(runtime, actor)}),
        claimed as (${claimVersionForPassword(id, account.version, hash, andExists('live'))}),
        ${endOtherSessions(actor, 'claimed')},
        canceled_link as (${deleteLink(id, andExists('claimed'))}),
        entry as (${recordEvent(actor, entry, from('claimed'))})
      select claimed.session_epoch from live left join claimed on true`);
    if (!row) return refuseUnprivileged(runtime, actor, { event: entry.event, target: entry.target });
    return row.session_epoch === null ? versionConflict : { replaced, epoch: row.session_epoch };
  });
}
