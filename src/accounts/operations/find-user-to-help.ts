import type { AuditEventName } from '../../audit/event-names.ts';
import { refuse } from '../../audit/operations/refuse.ts';
import { isSignedIn } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readObstacleToHelp, selectStillHelpable } from '../../organizations/operations/help.ts';
import type { Entitled } from '../../roles/entitled.ts';
import type { HelpCapability, HelpCase } from '../../roles/rules.ts';
import { type FoundUser, findUserWithin } from './find-users.ts';

/**
 * Finds a user that the actor may help. `obstacleToHelp` defines what helping means, and decides which users an actor
 * may help. Operators may help every user. Records a refusal in the audit log.
 *
 * @throws AuthError `not_found` | `forbidden`
 */
export async function findUserToHelp(
  runtime: Runtime,
  by: Entitled<HelpCapability>,
  request: { userId: string; event: AuditEventName },
): Promise<FoundUser> {
  const { actor } = by;
  const found = await findUserWithin(runtime, by, request);
  if (!isSignedIn(actor)) return found;
  const { user, organizationId } = found;
  const reason = await readObstacleToHelp(runtime, { ...helperOf(actor.user, by), user });
  if (reason === null) return found;
  return refuse(runtime, actor, {
    event: request.event,
    code: 'forbidden',
    reason,
    target: { type: 'user', id: user.id, name: user.username },
    organizationId,
  });
}

/** Repeats the check inside a statement. Returns a row if the actor is still entitled and may still help the user. */
export const stillEntitledToHelp = (
  { actor, reach, stillEntitled }: Entitled<HelpCapability>,
  userId: string,
): Sql =>
  isSignedIn(actor)
    ? sql`${stillEntitled} and exists (${selectStillHelpable(helperOf(actor.user, { reach }), userId)})`
    : stillEntitled;

const helperOf = (
  helper: HelpCase['helper'],
  { reach }: Pick<Entitled<HelpCapability>, 'reach'>,
): Pick<HelpCase, 'helper' | 'reach'> => ({ helper, reach: reach === 'any' ? 'any' : 'managed' });
