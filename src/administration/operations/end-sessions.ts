import { recordEvent } from '../../audit/store.ts';
import type { Operator, SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/database.ts';
import { refuseUnentitled } from '../../roles/operations.ts';
import { deleteSessionsOf, selectEntitled } from '../../sessions/store.ts';
import { moveEpoch } from '../../users/store.ts';
import type { FoundPerson } from './find-users.ts';

/**
 * Ends every session of somebody, one too that is just being opened; returns how many were alive.
 *
 * @throws AuthError `not_authenticated` | `forbidden` where the actor has just lost session or role
 */
export async function endSessionsOf(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  { person, organizationId }: FoundPerson,
): Promise<number> {
  const event = 'user.end_sessions';
  const target = { type: 'user', id: person.id, name: person.username } as const;
  const rows = await runtime.db.query<{ was_live: boolean | null }>(sql`
    with entitled as (${selectEntitled(actor)}),
      moved as (${moveEpoch(person.id, andExists('entitled'))}),
      ended as (${deleteSessionsOf(person.id, andExists('moved'))}),
      entry as (${recordEvent(actor, { event, outcome: 'success', target, organizationId }, from('moved'))})
    select ended.was_live from entitled left join ended on true`);
  if (rows.length === 0) return refuseUnentitled(runtime, actor, { event, target, organizationId });
  return rows.filter(({ was_live }) => was_live).length;
}
