import { refuse } from '../../audit/operations.ts';
import { recordEvent } from '../../audit/store.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, sql } from '../../db/database.ts';
import type { Timestamp } from '../../db/timestamp.ts';
import { refuseUnentitled } from '../../roles/operations.ts';
import { selectEntitled } from '../../sessions/store.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import type { User } from '../../users/user.ts';
import { linkLifetimeSeconds, recoveryLink } from '../link.ts';
import type { RecoveryLink } from '../recovery.ts';
import { putLink } from '../store.ts';

const event = 'recovery_link.create';

/**
 * Makes the link that lets a person back in, in place of an earlier one. It serves once, for an hour, and leads to a
 * session that can do no more than recover the account: whoever made it never holds a way in that lasts, unless they
 * use it themselves, which the person cannot fail to notice and the audit log tells.
 *
 * @param organizationId the organization through which the actor knows the person, where that is why they may help
 * @throws AuthError `account_disabled`
 * @throws AuthError `not_authenticated` | `forbidden` where the actor has just lost session or role
 */
export async function createRecoveryLink(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  person: User,
  organizationId?: string,
): Promise<RecoveryLink> {
  const target = { type: 'user', id: person.id, name: person.username } as const;
  if (person.status !== 'active') {
    return refuse(runtime, actor, {
      event,
      code: 'account_disabled',
      reason: 'account_disabled',
      target,
      organizationId,
    });
  }
  const token = newSessionToken();
  const makerId = isSignedIn(actor) ? actor.user.id : null;
  const link = {
    userId: person.id,
    tokenHash: hashToken(token),
    makerId,
    lifetimeSeconds: linkLifetimeSeconds,
  };
  const [row] = await runtime.db.query<{ expires_at: Timestamp }>(sql`
    with entitled as (${selectEntitled(actor)}),
      link as (${putLink(link, from('entitled'))}),
      entry as (${recordEvent(actor, { event, outcome: 'success', target, organizationId }, from('link'))})
    select link.expires_at from link`);
  if (!row) return refuseUnentitled(runtime, actor, { event, target, organizationId });
  return recoveryLink(runtime, token, row.expires_at);
}
