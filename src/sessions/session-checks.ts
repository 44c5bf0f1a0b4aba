import { type Attempt, refuse } from '../audit/operations/refuse.ts';
import type { SignedInActor } from '../core/actor.ts';
import type { Configuration } from '../core/config.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { type Sql, sql } from '../db/sql.ts';
import { hasUnusedPasskey, selectEntitled, selectLiveSession } from './store.ts';

/**
 * Statements repeat these checks before they change anything for a signed-in user. See `Entitled`.
 *
 * @param needs `privileged`: the session must also be privileged
 */
export const sessionChecks = (
  { config }: Pick<Runtime, 'config'>,
  actor: SignedInActor,
  needs: 'privileged' | 'any',
) => {
  const andAllowed = needs === 'privileged' ? andStillPrivileged(config) : sql``;
  return {
    actor,
    stillEntitled: sql`${selectEntitled(actor)} ${andAllowed}`,
    stillSignedIn: selectLiveSession(actor.session.id),
    stillPrivileged: sql`${selectLiveSession(actor.session.id)} ${andAllowed}`,
  };
};

/**
 * Selects a row if the actor's session is live and privileged. A statement that changes the sign-in methods repeats
 * this check, because another session of the user can add the first passkey after the request was admitted.
 */
export const selectPrivilegedSession = ({ config }: Pick<Runtime, 'config'>, actor: SignedInActor): Sql =>
  sql`${selectLiveSession(actor.session.id)} ${andStillPrivileged(config)}`;

/** Selects a row if the actor's session is live and can add a passkey. See `obstacleToFreshOrRecovering`. */
export const selectSessionToAddPasskey = (actor: SignedInActor): Sql =>
  sql`${selectLiveSession(actor.session.id)} and not ${hasUnusedPasskey}`;

/** The same condition as `isPrivileged`. */
const andStillPrivileged = ({ privilegedMethods }: Pick<Configuration, 'privilegedMethods'>): Sql =>
  privilegedMethods.includes('password')
    ? sql`and not ${hasUnusedPasskey}`
    : sql`and sessions.method = 'passkey'`;

/**
 * Refuses an operation because its statement found no live session, or a session that is no longer privileged.
 *
 * @throws AuthError `not_authenticated` | `passkey_required`
 */
export async function refuseUnprivileged(
  runtime: Runtime,
  actor: SignedInActor,
  attempt: Attempt,
): Promise<never> {
  const isLive = (await runtime.db.query(selectLiveSession(actor.session.id))).length > 0;
  if (!isLive) throw new AuthError('not_authenticated');
  return refuse(runtime, actor, { ...attempt, code: 'passkey_required', reason: 'passkey_required' });
}
