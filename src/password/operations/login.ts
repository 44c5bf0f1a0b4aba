import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { GuessLimit } from '../../core/guess-limit.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { openSession } from '../../sessions/open-session.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { deletePresented, insertSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { usernameLookup } from '../../users/rules.ts';
import { recordSignIn } from '../../users/store/sign-ins.ts';
import {
  rehashPassword,
  selectForPasswordLogin,
  selectUnchangedPassword,
  type UserRow,
  userFromRow,
} from '../../users/store.ts';
import { findMismatch, hashPassword, isOutdated } from '../hashing.ts';
import { normalizePassword } from '../rules.ts';

type FoundRow = UserRow & { password_hash: string | null; version: number; session_epoch: number };

export interface PasswordLogin {
  username: string;
  password: string;
}

/**
 * Signs in with a password. An unknown username, an account without a password and a wrong password cause the same
 * error after the same work: one read, one bcrypt hash, one audit event. So does a wrong password for a disabled account.
 * Only a caller with the correct password learns that the account is disabled.
 *
 * @param guesses counts the attempt before the password is checked, unless the attempt succeeds
 * @throws AuthError `account_disabled` if the password is correct, but the account is disabled
 * @throws AuthError `authentication_failed` for every other cause | `rate_limited`
 * @throws AuthError `unavailable` if too many passwords wait to be checked
 */
export async function logInWithPassword(
  runtime: Runtime,
  actor: Actor,
  { username, password }: PasswordLogin,
  guesses: GuessLimit,
): Promise<OpenedSession & { user: User }> {
  const [row] = await runtime.db.query<FoundRow>(
    selectForPasswordLogin(usernameLookup(username, runtime.config.usernames)),
  );
  const hash = row?.password_hash ?? null;
  const guess = await guesses.reserve(row ? { userId: row.user_id, epoch: row.session_epoch } : null);
  const mismatch = await findMismatch(runtime, password, hash).catch(async (error) => {
    // The password was not compared, so the attempt was not a guess.
    await guess.giveBack();
    throw error;
  });

  const user = row ? userFromRow(row) : null;
  const target = user ? ({ type: 'user', id: user.id, name: user.username } as const) : undefined;
  const refuseWith = (reason: string, code: ErrorCode = 'authentication_failed') =>
    refuse(runtime, actor, { event: 'password.login', code, reason, target });
  if (!row || !user) return refuseWith('username_unknown');
  if (hash === null || mismatch !== null) return refuseWith(mismatch ?? 'no_password');
  if (user.status !== 'active') return refuseWith('user_disabled', 'account_disabled');

  const checked = { hash, version: row.version };
  const verified = isOutdated(runtime, hash)
    ? rehashPassword(
        user.id,
        checked,
        await hashPassword(runtime, normalizePassword(password)),
        andExists('room'),
      )
    : selectUnchangedPassword(user.id, checked, andExists('room'));
  const token = newSessionToken();
  const opened = { user, token, kind: 'full', method: 'password' } as const;
  const entry = { event: 'password.login', outcome: 'success', target } as const;
  const session = await openSession<OpenedSessionRow>(
    runtime,
    actor,
    user,
    (room) => sql`
    with room as (${room.check}),
      verified as (${verified}),
      ${room.make('verified')}
      replaced as (${deletePresented(actor, andExists('verified'))}),
      session as (${insertSession(opened, actor, runtime.config, from('verified'))}),
      signed_in as (${recordSignIn(user.id, opened.method, actor, 'session')}),
      entry as (${recordEvent(actor, entry, from('verified'), user)})
    select * from session`,
  );
  // After the read, the password was changed or removed, or the account was disabled.
  if (!session) return refuseWith('concurrent_change');
  await guess.giveBack();
  return { user, ...openedFromRow(session, token) };
}
