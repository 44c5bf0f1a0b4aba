import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { deleteLinksTo } from '../../impersonation-links/store.ts';
import { cancelRecoveriesHelpedBy, cancelRecoveriesOf } from '../../recovery/cancel-recoveries.ts';
import { lifetimesOfNewRole } from '../../sessions/lifetimes.ts';
import { deleteImpersonatedSessions } from '../../sessions/store/ending.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { shortenSessions } from '../../sessions/store/shorten.ts';
import { lockLiveSession, rotateToken, selectLiveSession } from '../../sessions/store.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { claimVersionForRole } from '../../users/store/versions.ts';
import { lockActive, selectActiveInRole, selectUser, type UserRow, userFromRow } from '../../users/store.ts';
import type { Invitation, InvitationPreview } from '../invitation.ts';
import { isUsable, obstacleToAccepting } from '../rules.ts';
import {
  creatorFromRow,
  invitationFromRow,
  lockPendingInvitation,
  type PresentedInvitationRow,
  acceptInvitation as recordAcceptance,
  selectPresentedInvitation,
} from '../store.ts';

const event = 'invitation.accept';

/**
 * Returns what an invitation grants. The caller needs the token, but no session.
 *
 * @throws AuthError `invitation_not_found` | `invitation_unusable`
 */
export async function previewInvitation(runtime: Runtime, token: string): Promise<InvitationPreview> {
  const [row] = await runtime.db.query<PresentedInvitationRow>(selectPresentedInvitation(hashToken(token)));
  if (!row) throw new AuthError('invitation_not_found');
  const { role, username, status, createdBy, expiresAt } = invitationFromRow(row);
  if (!isUsable(runtime, { status, role, creator: creatorFromRow(row) }))
    throw new AuthError('invitation_unusable');
  return { role, username, createdBy, expiresAt };
}

export interface Acceptance extends OpenedSession {
  user: User;
  invitation: Invitation;
}

/**
 * Gives the actor the role that an invitation grants. An invitation can be accepted once. At that time, its creator
 * must still have the right to create the invitation.
 *
 * Cancels every unfinished recovery of the account, and every recovery link that the actor created. The session gets a
 * new token, because the actor's rights change. All sessions of the actor are shortened to the lifetimes of the role.
 * Impersonated sessions of the actor end.
 *
 * @throws AuthError `invitation_not_found` | `invitation_unusable` | `invitation_for_another_user` |
 *   `role_already_held`
 * @throws AuthError `authenticator_not_allowed` if the passkeys of the actor do not meet the requirements of the role
 * @throws AuthError `not_authenticated` if the session ends during the call
 */
export async function acceptInvitation(
  runtime: Runtime,
  actor: SignedInActor,
  invitationToken: string,
): Promise<Acceptance> {
  const { id: userId } = actor.user;
  return retryVersionConflicts(async () => {
    const [row] = await runtime.db.query<
      UserRow & { version: number } & (PresentedInvitationRow | { invitation_id: null })
    >(sql`
      with me as (${selectUser(userId)}),
        presented as (${selectPresentedInvitation(hashToken(invitationToken))})
      select me.*, presented.* from me left join presented on true`);
    if (!row) throw new AuthError('not_authenticated');
    if (row.invitation_id === null) {
      return refuse(runtime, actor, { event, code: 'invitation_not_found', reason: 'token_unknown' });
    }

    const invitation = invitationFromRow(row);
    const target = { type: 'invitation', id: invitation.id, name: invitation.username } as const;
    const obstacle = obstacleToAccepting(
      runtime,
      { ...invitation, creator: creatorFromRow(row) },
      userFromRow(row),
    );
    if (obstacle) return refuse(runtime, actor, { event, code: obstacle, reason: obstacle, target });

    const { role } = invitation;
    const unmet = await runtime.roleObstacle(userId, role);
    if (unmet !== null) {
      const { reason, message } = unmet;
      const code = 'authenticator_not_allowed';
      return refuse(runtime, actor, { event, target, code, reason, publicReason: reason, message });
    }
    const token = newSessionToken();
    const lifetimes = lifetimesOfNewRole(role, runtime);
    const ifCreatorEntitled = row.created_by === null ? sql`` : andExists('creator');
    const entry = { event, outcome: 'success', target, details: { role } } as const;
    const [done] = await runtime.db.query<AcceptedRow>(sql`
      with known as (${selectLiveSession(actor.session.id)}),
        me as (${lockActive(userId, row.version)}),
        live as (${lockLiveSession(actor.session.id, andExists('me'))}),
        creator as (${selectActiveInRole(row.created_by, row.creator_role)}),
        pending as (${lockPendingInvitation(invitation.id, sql`${andExists('live')} ${ifCreatorEntitled}`)}),
        promoted as (${claimVersionForRole(userId, row.version, role, andExists('pending'))}),
        ${cancelRecoveriesOf(userId, andExists('promoted'))},
        ${cancelRecoveriesHelpedBy(userId, andExists('promoted'))},
        accepted as (${recordAcceptance(invitation.id, userId, andExists('promoted'))}),
        session as (${rotateToken(actor.session.id, token, lifetimes, andExists('accepted'))}),
        impersonated as (${deleteImpersonatedSessions(userId, andExists('accepted'))}),
        links as (${deleteLinksTo(userId, andExists('accepted'))}),
        shortened as (${shortenSessions(userId, actor.session.id, lifetimes, andExists('accepted'))}),
        entry as (${recordEvent(actor, entry, from('accepted'))})
      select session.*, promoted.*, accepted.invitation_id, accepted.accepted_at
      from known
      left join promoted on true
      left join accepted on true
      left join session on true`);
    if (!done) throw new AuthError('not_authenticated');
    if (done.invitation_id === null) return versionConflict;
    const user = userFromRow(done);
    return {
      user,
      invitation: {
        ...invitation,
        status: 'accepted',
        acceptedBy: { id: user.id, username: user.username },
        acceptedAt: rfc3339(done.accepted_at),
      },
      ...openedFromRow(done, token),
    };
  });
}

type AcceptedRow = OpenedSessionRow &
  UserRow &
  ({ invitation_id: string; accepted_at: Timestamp } | { invitation_id: null });
