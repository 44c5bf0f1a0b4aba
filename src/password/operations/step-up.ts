import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { lifetimesOf } from '../../sessions/lifetimes.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { lockLiveSession, renewSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { hasPasskey, selectPasswordHash, selectUnchangedPassword } from '../../users/store.ts';
import { findMismatch } from '../hashing.ts';

interface PasswordRow {
  password_hash: string | null;
  version: number;
  has_passkey: boolean;
}

const andStillWithoutPasskey = sql`${andExists('live')} and not ${hasPasskey}`;

/**
 * Authenticates the signed-in user again with the password. Updates the session's authentication time and method, and
 * gives the session a new token.
 *
 * A user who has a passkey must use it instead. Otherwise, an attacker who has the password and a stolen session could
 * make the session fresh.
 *
 * @throws AuthError `passkey_required` if the user has a passkey
 * @throws AuthError `authentication_failed` | `unavailable` if too many passwords wait
 */
export async function stepUpWithPassword(
  runtime: Runtime,
  actor: SignedInActor,
  password: string,
): Promise<OpenedSession> {
  const { user } = actor;
  const { idleSeconds } = lifetimesOf('full', user.role, runtime.config, actor.request);
  const event = 'password.stepup';
  const target = { type: 'user', id: user.id, name: user.username } as const;
  const refuseWith = (reason: string) =>
    refuse(runtime, actor, { event, code: 'authentication_failed', reason, target });

  const [row] = await runtime.db.query<PasswordRow>(selectPasswordHash(user.id));
  if (row?.has_passkey) {
    const code = 'passkey_required';
    return refuse(runtime, actor, { event, code, reason: code, target });
  }
  const hash = row?.password_hash ?? null;
  const mismatch = await findMismatch(runtime, password, hash);
  if (!row || hash === null || mismatch !== null) return refuseWith(mismatch ?? 'no_password');

  const token = newSessionToken();
  const renewed = renewSession(
    actor.session.id,
    token,
    { method: 'password', passkeyId: null },
    idleSeconds,
    andExists('verified'),
  );
  const [session] = await runtime.db.query<OpenedSessionRow>(sql`
    with live as (${lockLiveSession(actor.session.id)}),
      verified as (${selectUnchangedPassword(user.id, { hash, version: row.version }, andStillWithoutPasskey)}),
      session as (${renewed}),
      entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('session'))})
    select * from session`);
  if (!session) return refuseWith('concurrent_change');
  return openedFromRow(session, token);
}
