import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import { second } from '../../core/duration.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { milliseconds } from '../../db/timestamp.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { lifetimesOf } from '../../sessions/lifetimes.ts';
import { openSession } from '../../sessions/open-session.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { deletePresented, insertSession } from '../../sessions/store.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { recordSignIn } from '../../users/store/sign-ins.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { creatorOf, mayCreatorHelp, selectCreatorEntitled } from '../link-creator.ts';
import { type PresentedLinkRow, selectPresentedLink, spendLink } from '../store.ts';

/**
 * Opens a recovery session with the token of a recovery link. The link's creator must still have the right to help the
 * user. Completing the recovery checks this right again.
 *
 * The statement increments the account's version, so a concurrent change of the role, the status or the passkeys has to
 * retry. The retry also ends this session.
 *
 * @throws AuthError `recovery_link_waiting` before the link is usable | `authentication_failed` for every other cause
 */
export async function recoverWithLink(
  runtime: Runtime,
  actor: Actor,
  linkToken: string,
): Promise<OpenedSession & { user: User }> {
  const tokenHash = hashToken(linkToken);
  return retryVersionConflicts(async () => {
    const [row] = await runtime.db.query<UserRow & { version: number } & PresentedLinkRow>(
      selectPresentedLink(tokenHash),
    );
    const user = row ? userFromRow(row) : null;
    const target = user ? ({ type: 'user', id: user.id, name: user.username } as const) : undefined;
    const attempt = { event: 'recovery_link.use', target } as const;
    const refuseWith = (reason: string) =>
      refuse(runtime, actor, { ...attempt, code: 'authentication_failed', reason });
    if (!row || !user) return refuseWith('link_unknown_or_used');
    if (row.used) return refuseWith('link_unknown_or_used');
    if (!row.live) return refuseWith('link_expired');
    const creator = creatorOf(row);
    if (!(await mayCreatorHelp(runtime, creator, user))) return refuseWith('creator_no_longer_entitled');
    if (user.status !== 'active') return refuseWith('user_disabled');
    if (row.waiting) return refuse(runtime, actor, { ...attempt, ...waiting(row) });

    const session = {
      id: uuid(),
      ttlSeconds: lifetimesOf('recovery', user.role, runtime.config, actor.request).ttlSeconds,
    };
    const token = newSessionToken();
    const opened = {
      id: session.id,
      user,
      token,
      kind: 'recovery',
      method: 'assisted_recovery',
    } as const;
    const entry = { ...attempt, outcome: 'success' } as const;
    const stored = await openSession<OpenedSessionRow>(
      runtime,
      actor,
      user,
      (room) => sql`
      with room as (${room.check}),
        creator as (${selectCreatorEntitled(runtime, creator, user.id)}),
        claimed as (${claimVersion(user.id, row.version, sql`${andExists('room')} ${andExists('creator')}`)}),
        used as (${spendLink(tokenHash, session, andExists('claimed'))}),
        ${room.make('used')}
        replaced as (${deletePresented(actor, andExists('used'))}),
        session as (${insertSession(opened, actor, runtime.config, from('used'))}),
        signed_in as (${recordSignIn(user.id, opened.method, actor, 'session')}),
        entry as (${recordEvent(actor, entry, from('used'), user)})
      select * from session`,
    );
    return stored ? { user, ...openedFromRow(stored, token) } : versionConflict;
  });
}

/** The refusal of a link that is not usable yet. The response contains the number of seconds to wait. */
const waiting = ({ usable_at, now }: PresentedLinkRow) => {
  const seconds = Math.ceil((milliseconds(usable_at) - milliseconds(now)) / second);
  return {
    code: 'recovery_link_waiting',
    reason: 'link_waiting',
    headers: { 'Retry-After': `${Math.max(1, seconds)}` },
  } as const;
};
