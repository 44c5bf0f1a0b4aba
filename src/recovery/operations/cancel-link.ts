import { recordEvent } from '../../audit/store.ts';
import type { Actor, SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { deleteAssistedRecoverySessions } from '../../sessions/store/ending.ts';
import { selectLiveSession } from '../../sessions/store.ts';
import { claimVersion, selectUser } from '../../users/store.ts';
import { deleteLink, selectPendingLink } from '../store.ts';

/**
 * Cancels the recovery link of the actor's own account and ends the recovery session that the link opened.
 *
 * This statement and the statement that uses the link both increment the account's version. So no recovery session
 * remains if the two statements run at the same time.
 *
 * @throws AuthError `not_found` if the account has no pending link | `not_authenticated` if the session has ended
 * @throws AuthError `unavailable` if other requests keep changing the account
 */
export const cancelOwnRecoveryLink = (runtime: Runtime, actor: SignedInActor): Promise<void> =>
  cancelLink(runtime, { actor, live: selectLiveSession(actor.session.id) }, actor.user);

/** Cancels the recovery link of another user's account. @throws AuthError as in `cancelOwnRecoveryLink` */
export const cancelRecoveryLink = (
  runtime: Runtime,
  { actor, stillEntitled }: Entitled<'user:recover'>,
  user: Pick<User, 'id' | 'username'>,
): Promise<void> => cancelLink(runtime, { actor, live: stillEntitled }, user);

async function cancelLink(
  runtime: Runtime,
  { actor, live }: { actor: Actor; live: Sql },
  { id, username }: Pick<User, 'id' | 'username'>,
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
    if (!row) throw new AuthError('not_authenticated');
    return row.user_id === null ? versionConflict : undefined;
  });
}
