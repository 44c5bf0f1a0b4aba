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
import { incrementVersion } from '../../users/store/versions.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { codeHashes } from '../code.ts';
import { type PresentedCodeRow, selectPresentedCode, spendCode } from '../store.ts';

export interface CodeUse {
  username: string;
  code: string;
}

/**
 * Opens a recovery session with a recovery code. One statement marks the code as used, opens the session and records
 * the audit event. So if several requests send the same code at once, only one request gets a session.
 *
 * The statement increments the account's version, so a recovery that completes at the same time has to retry. The retry
 * also ends this session.
 *
 * Counts only refused codes, after the check. A limit that also rejected correct codes would let strangers block the
 * recovery of an account. It would protect nothing, because codes are too long to guess.
 *
 * @throws AuthError `account_disabled` if the code is usable, but the account is disabled
 * @throws AuthError `authentication_failed` for every other cause | `rate_limited`
 */
export async function recoverWithCode(
  runtime: Runtime,
  actor: Actor,
  { username, code }: CodeUse,
  guesses: GuessLimit,
): Promise<OpenedSession & { user: User }> {
  const [row] = await runtime.db.query<UserRow & PresentedCodeRow & { session_epoch: number }>(
    selectPresentedCode(usernameLookup(username, runtime.config.usernames), codeHashes(runtime.sealer, code)),
  );
  const user = row ? userFromRow(row) : null;
  const target = user ? ({ type: 'user', id: user.id, name: user.username } as const) : undefined;
  const refuseWith = async (
    reason: string,
    errorCode: ErrorCode = 'authentication_failed',
  ): Promise<never> => {
    await guesses.reserve(row ? { userId: row.user_id, epoch: row.session_epoch } : null);
    return refuse(runtime, actor, {
      event: 'recovery_code.use',
      code: errorCode,
      reason,
      target,
    });
  };
  if (!row || !user) return refuseWith('username_unknown');
  if (row.code_hash === null) return refuseWith('code_unknown');
  if (!row.usable) return refuseWith(row.used ? 'code_used' : 'code_expired');
  if (user.status !== 'active') return refuseWith('user_disabled', 'account_disabled');

  const token = newSessionToken();
  const opened = { user, token, kind: 'recovery', method: 'recovery_code' } as const;
  const entry = { event: 'recovery_code.use', outcome: 'success', target } as const;
  const { code_hash: codeHash } = row;
  const session = await openSession<OpenedSessionRow>(
    runtime,
    actor,
    user,
    (room) => sql`
    with room as (${room.check}),
      active as (${incrementVersion(user.id, andExists('room'))}),
      used as (${spendCode(codeHash, andExists('active'))}),
      ${room.make('used')}
      replaced as (${deletePresented(actor, andExists('used'))}),
      session as (${insertSession(opened, actor, runtime.config, from('used'))}),
      signed_in as (${recordSignIn(user.id, opened.method, actor, 'session')}),
      entry as (${recordEvent(actor, entry, from('used'), user)})
    select * from session`,
  );
  if (!session) return refuseWith('concurrent_change');
  return { user, ...openedFromRow(session, token) };
}
