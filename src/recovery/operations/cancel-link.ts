import type { Attempt } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Actor, SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { refuseUnprivileged, selectPrivilegedSession } from '../../sessions/session-checks.ts';
import { deleteAssistedRecoverySessions } from '../../sessions/store/ending.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { selectUser } from '../../users/store.ts';
import { deleteLink, selectPendingLink } from '../store.ts';

/**
 * Cancels the recovery link of the actor's own account and ends the recovery session that the link opened.
 *
 * This statement and the statement that uses the link both increment the account's version. So no recovery session
 * remains if the two statements run at the same time.
 *
 * @throws AuthError `not_found` if the account has no pending link | `not_authenticated` if the session has ended
 * @throws AuthError `passkey_required` if the session is no longer privileged
 * @throws AuthError `unavailable` if other requests keep changing the account
 */
export const cancelOwnRecoveryLink = (runtime: Runtime, actor: SignedInActor): Promise<void> =>
  cancelLink(runtime, actor, actor.user, {
    live: selectPrivilegedSession(runtime, actor),
    refuse: (attempt) => refuseUnprivileged(runtime, actor, attempt),
  });

/** Cancels the recovery link of another user's account. @throws AuthError as in `cancelOwnRecoveryLink` */
export const cancelRecoveryLink = (
  runtime: Runtime,
  by: Entitled<'user:recover'>,
  user: Pick<User, 'id' | 'username'>,
): Promise<void> =>
  cancelLink(runtime, by.actor, user, {
    live: by.stillEntitled,
    refuse: (attempt) => refuseUnentitled(runtime, by, attempt),
  });

interface LiveCheck {
  /** Selects a row if the actor can still cancel the link. */
  live: Sql;
  /** Throws the error for a check that selected no row. */
  refuse(attempt: Attempt): Promise<never>;
}

async function cancelLink(
  runtime: Runtime,
  actor: Actor,
  { id, username }: Pick<User, 'id' | 'username'>,
  { live, refuse }: LiveCheck,
): Promise<void> {
  const target = { type: 'user', id, name: username } as const;
  const entry = { event: 'recovery_link.cancel', outcome: 'success', target } as const;
  await retryVersionConflicts(async () => {
    const [pending] = await runtime.db.query<{ version: number }>(sql`
      with account as (${selectUser(id)}),
        link as (${selectPendingLink(id)})
      select account.version from account join link on true`);
    if (!pending) throw new AuthError('not_found');
    const [row] = await runtime.db.query<{ user_id: string | null }>(sql`
      with live as (${live}),
        claimed as (${claimVersion(id, pending.version, andExists('live'))}),
        canceled as (${deleteLink(id, andExists('claimed'))}),
        ended as (${deleteAssistedRecoverySessions(id, andExists('canceled'))}),
        entry as (${recordEvent(actor, entry, from('canceled'))})
      select canceled.user_id from live left join canceled on true`);
    if (!row) return refuse({ event: entry.event, target });
    return row.user_id === null ? versionConflict : undefined;
  });
}
