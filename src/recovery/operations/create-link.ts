import { refuse } from '../../audit/operations.ts';
import { recordEvent } from '../../audit/store.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, sql } from '../../db/database.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import { selectLiveSession } from '../../sessions/store.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { accountName } from '../../users/rules.ts';
import { selectUser, selectUserNamed, type UserRow, userFromRow } from '../../users/store.ts';
import type { User } from '../../users/user.ts';
import type { RecoveryLink } from '../recovery.ts';
import { mayHelp, mayKnowOf } from '../rules.ts';
import { putLink } from '../store.ts';

const lifetimeSeconds = 60 * 60;
const event = 'recovery_link.create';

/**
 * The person that the caller would help, if they may. A refusal is written down, not knowing of the person too.
 *
 * @throws AuthError `forbidden` | `not_found`
 */
export async function findPersonToHelp(
  runtime: Runtime,
  actor: SignedInActor,
  userId: string,
): Promise<User> {
  const id = isUuid(userId) ? userId : null;
  const refuseWith = (code: 'forbidden' | 'not_found', reason: string, name: string | null = null) =>
    refuse(runtime, actor, { event, code, reason, target: { type: 'user', id, name } });
  if (actor.user.role === 'user') return refuseWith('forbidden', 'role_too_low');
  if (!mayKnowOf(actor.user)) return refuseWith('not_found', 'not_of_their_organizations');
  const [row] = id === null ? [] : await runtime.db.query<UserRow>(selectUser(id));
  if (!row) throw new AuthError('not_found');
  const person = userFromRow(row);
  if (mayHelp(actor.user, person)) return person;
  return refuseWith('forbidden', person.id === actor.user.id ? 'oneself' : 'role_too_low', person.username);
}

/**
 * Makes the link that lets a person back in, in place of an earlier one. It serves once, for an hour, and leads to a
 * session that can do no more than recover the account: whoever made it never holds a way in that lasts, unless they
 * use it themselves, which the person cannot fail to notice and the audit log tells.
 *
 * @throws AuthError `account_disabled` | `not_authenticated` where the session has just ended
 */
export async function createRecoveryLink(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  person: User,
): Promise<RecoveryLink> {
  const target = { type: 'user', id: person.id, name: person.username } as const;
  if (person.status !== 'active') {
    return refuse(runtime, actor, { event, code: 'account_disabled', reason: 'account_disabled', target });
  }
  const token = newSessionToken();
  const makerId = isSignedIn(actor) ? actor.user.id : null;
  const link = { userId: person.id, tokenHash: hashToken(token), makerId, lifetimeSeconds };
  // An operator has no session that could have ended.
  const entitled = isSignedIn(actor) ? selectLiveSession(actor.session.id) : sql`select 1 as one`;
  const [row] = await runtime.db.query<{ expires_at: Timestamp }>(sql`
    with entitled as (${entitled}),
      link as (${putLink(link, from('entitled'))}),
      entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('link'))})
    select link.expires_at from link`);
  if (!row) throw new AuthError('not_authenticated');
  return {
    token,
    url: `${runtime.config.recoveryPage}#token=${token}`,
    expiresAt: rfc3339(row.expires_at),
  };
}

/** As `createRecoveryLink`, for somebody at the service's own machine. @throws AuthError `not_found` | `account_disabled` */
export async function createRecoveryLinkFor(
  runtime: Runtime,
  operator: Operator,
  username: string,
): Promise<RecoveryLink> {
  const [row] = await runtime.db.query<UserRow>(selectUserNamed(accountName(username)));
  if (!row) throw new AuthError('not_found');
  return createRecoveryLink(runtime, operator, userFromRow(row));
}
