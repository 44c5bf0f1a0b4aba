import { refuse } from '../../audit/operations.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, join, sql } from '../../db/database.ts';
import { selectManagedWith } from '../../organizations/store.ts';
import { mayHelp } from '../../roles/rules.ts';
import type { OpenedSession } from '../../sessions/session.ts';
import { deletePresented, insertSession, type SessionRow, sessionFromRow } from '../../sessions/store.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { moveVersion, selectActiveInRole, type UserRow, userFromRow } from '../../users/store.ts';
import type { User } from '../../users/user.ts';
import { type PresentedLinkRow, selectPresentedLink, spendLink } from '../store.ts';

/**
 * Opens a recovery session with the token of a link. What its maker may do is looked at again: a link dies with the
 * role that it was made by. The account's version moves as in `recoverWithCode`.
 *
 * @throws AuthError `authentication_failed`, whatever the cause
 */
export async function recoverWithLink(
  runtime: Runtime,
  actor: Actor,
  linkToken: string,
): Promise<OpenedSession & { user: User }> {
  const tokenHash = hashToken(linkToken);
  const [row] = await runtime.db.query<UserRow & PresentedLinkRow>(selectPresentedLink(tokenHash));
  const user = row ? userFromRow(row) : null;
  const target = user ? ({ type: 'user', id: user.id, name: user.username } as const) : undefined;
  const refuseWith = (reason: string) =>
    refuse(runtime, actor, { event: 'recovery_link.use', code: 'authentication_failed', reason, target });
  if (!row || !user) return refuseWith('link_unknown_or_used');
  if (!row.live) return refuseWith('link_expired');
  if (!(await isStillEntitled(runtime, row, user))) return refuseWith('maker_no_longer_entitled');
  if (user.status !== 'active') return refuseWith('user_disabled');

  const token = newSessionToken();
  const opened = { userId: user.id, token, kind: 'recovery', method: 'assisted_recovery' } as const;
  const entry = { event: 'recovery_link.use', outcome: 'success', target } as const;
  const makerStands = [row.maker_id === null ? sql`` : andExists('maker')];
  if (row.maker_role === 'admin') makerStands.push(andExists('known'));
  const [session] = await runtime.db.query<SessionRow>(sql`
    with active as (${moveVersion(user.id)}),
      person as (${selectActiveInRole(user.id, user.role)}),
      maker as (${selectActiveInRole(row.maker_id, row.maker_role)}),
      known as (${selectManagedWith(row.maker_id, user.id)}),
      used as (${spendLink(tokenHash, join([andExists('active'), andExists('person'), ...makerStands], ' '))}),
      replaced as (${deletePresented(actor, andExists('used'))}),
      session as (${insertSession(opened, actor, runtime.config, from('used'))}),
      entry as (${recordEvent(actor, entry, from('used'), user)})
    select * from session`);
  if (!session) return refuseWith('overtaken');
  return { user, session: sessionFromRow(session, session.session_id), token };
}

/**
 * An operator's link stands by itself; anybody else's by what its maker may do now. An admin's also needs that they
 * still manage an organization which the person belongs to.
 */
async function isStillEntitled(
  runtime: Runtime,
  { maker_id, maker_role, maker_status }: PresentedLinkRow,
  person: User,
): Promise<boolean> {
  if (maker_id === null) return true;
  if (maker_role === null || maker_status !== 'active') return false;
  if (!mayHelp({ id: maker_id, role: maker_role }, person)) return false;
  if (maker_role === 'superadmin') return true;
  return (await runtime.db.query(selectManagedWith(maker_id, person.id))).length > 0;
}
