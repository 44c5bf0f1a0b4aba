import { refuse } from '../../audit/operations/refuse.ts';
import type { Attempt } from '../../authorization/authorize.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { type Statement, sql } from '../../db/database.ts';
import { readObstacleToHelp, selectStillHelpable } from '../../organizations/operations/help.ts';
import { selectEntitled } from '../../sessions/store.ts';
import { type FoundUser, findUser } from './find-users.ts';

/**
 * Finds a user whom the actor may help (see `obstacleToHelp`). An operator may help every user. A refusal is recorded.
 *
 * @throws AuthError `not_found` | `forbidden`
 */
export async function findUserToHelp(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  asked: { userId: string; event: Attempt['event'] },
): Promise<FoundUser> {
  const found = await findUser(runtime, actor, asked);
  if (!isSignedIn(actor)) return found;
  const { user, organizationId } = found;
  const reason = await readObstacleToHelp(runtime, actor.user, user);
  if (reason === null) return found;
  return refuse(runtime, actor, {
    event: asked.event,
    code: 'forbidden',
    reason,
    target: { type: 'user', id: user.id, name: user.username },
    organizationId,
  });
}

/** Repeats the decision inside a statement: a row if the actor's session and role hold and the actor may still help. */
export const selectEntitledToHelp = (actor: SignedInActor | Operator, userId: string): Statement =>
  selectEntitled(
    actor,
    isSignedIn(actor) ? sql`and exists (${selectStillHelpable(actor.user, userId)})` : sql``,
  );
