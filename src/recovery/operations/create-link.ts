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

/**
 * The person that the caller would help, if they may.
 *
 * @throws AuthError `forbidden` | `not_found`
 */
export async function findPersonToHelp(
  runtime: Runtime,
  actor: SignedInActor,
  userId: string,
): Promise<User> {
  const refuseWith = (target: User | null) =>
    refuse(runtime, actor, {
      event: 'recovery_link.create',
      code: 'forbidden',
      reason: 'role_too_low',
      target: { type: 'user', id: target?.id ?? null, name: target?.username ?? null },
    });
  if (actor.user.role === 'user') return refuseWith(null);
  if (!isUuid(userId) || !mayKnowOf(actor.user)) throw new AuthError('not_found');
  const [row] = await runtime.db.query<UserRow>(selectUser(userId));
  if (!row) throw new AuthError('not_found');
  const person = userFromRow(row);
  return mayHelp(actor.user, person) ? person : refuseWith(person);
}

/**
 * Makes the link that lets a person back in, in place of an earlier one. Whoever makes it never holds a secret that
 * lasts: the link serves once, for an hour, and leads to a session that can do no more than make a passkey.
 *
 * @throws AuthError `not_authenticated` where the session has just ended
 */
export async function createRecoveryLink(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  person: User,
): Promise<RecoveryLink> {
  const token = newSessionToken();
  const makerId = isSignedIn(actor) ? actor.user.id : null;
  const link = { userId: person.id, tokenHash: hashToken(token), makerId, lifetimeSeconds };
  const entry = {
    event: 'recovery_link.create',
    outcome: 'success',
    target: { type: 'user', id: person.id, name: person.username },
  } as const;
  // An operator has no session that could have ended.
  const entitled = isSignedIn(actor) ? selectLiveSession(actor.session.id) : sql`select 1 as one`;
  const [row] = await runtime.db.query<{ expires_at: Timestamp }>(sql`
    with entitled as (${entitled}),
      link as (${putLink(link, from('entitled'))}),
      entry as (${recordEvent(actor, entry, from('link'))})
    select link.expires_at from link`);
  if (!row) throw new AuthError('not_authenticated');
  return {
    token,
    url: `${runtime.config.recoveryPage}#token=${token}`,
    expiresAt: rfc3339(row.expires_at),
  };
}

/** As `createRecoveryLink`, for somebody at the service's own machine. @throws AuthError `not_found` */
export async function createRecoveryLinkFor(
  runtime: Runtime,
  operator: Operator,
  username: string,
): Promise<RecoveryLink> {
  const [row] = await runtime.db.query<UserRow>(selectUserNamed(accountName(username)));
  if (!row) throw new AuthError('not_found');
  return createRecoveryLink(runtime, operator, userFromRow(row));
}
