import { refuse } from '../../audit/operations.ts';
import { recordEvent } from '../../audit/store.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/database.ts';
import type { Timestamp } from '../../db/timestamp.ts';
import { refuseUnentitled } from '../../roles/operations.ts';
import { selectEntitled } from '../../sessions/store.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { moveVersion } from '../../users/store.ts';
import type { User } from '../../users/user.ts';
import { linkLifetimeSeconds, recoveryLink } from '../link.ts';
import type { RecoveryLink } from '../recovery.ts';
import { putLink } from '../store.ts';

const event = 'recovery_link.create';

/**
 * Makes the link that lets a person back in, in place of an earlier one. It serves once, for an hour, and leads to a
 * session that can do no more than recover the account: whoever made it never holds a way in that lasts, unless they
 * use it themselves, which the person cannot fail to notice and the audit log tells. The account's version moves, so that
 * whoever disables it at the same moment voids the link.
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
  const attempt = { event, target, organizationId } as const;
  const refuseDisabled = () =>
    refuse(runtime, actor, { ...attempt, code: 'account_disabled', reason: 'account_disabled' });
  if (person.status !== 'active') return refuseDisabled();
  const token = newSessionToken();
  const makerId = isSignedIn(actor) ? actor.user.id : null;
  const link = {
    userId: person.id,
    tokenHash: hashToken(token),
    makerId,
    lifetimeSeconds: linkLifetimeSeconds,
  };
  const [row] = await runtime.db.query<{ expires_at: Timestamp | null }>(sql`
    with entitled as (${selectEntitled(actor)}),
      active as (${moveVersion(person.id, andExists('entitled'))}),
      link as (${putLink(link, from('active'))}),
      entry as (${recordEvent(actor, { ...attempt, outcome: 'success' }, from('link'))})
    select link.expires_at from entitled left join link on true`);
  if (!row) return refuseUnentitled(runtime, actor, attempt);
  return row.expires_at === null ? refuseDisabled() : recoveryLink(runtime, token, row.expires_at);
}
