import { refuse } from '../../../audit/operations/refuse.ts';
import { recordEvent } from '../../../audit/store.ts';
import type { SignedInActor } from '../../../core/actor.ts';
import { AuthError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/identifiers.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { andExists, from, oneRow, type Sql, sql } from '../../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../../db/timestamp.ts';
import { retryVersionConflicts, versionConflict } from '../../../db/version-conflict.ts';
import type { OrganizationRole } from '../../../roles/principal.ts';
import { lockLiveSession, selectLiveSession } from '../../../sessions/store.ts';
import { hashToken } from '../../../sessions/token.ts';
import { claimVersion } from '../../../users/store/versions.ts';
import { lockActive, selectActiveInRole, selectUser } from '../../../users/store.ts';
import type { Organization } from '../../organization.ts';
import {
  countMembershipsOf,
  hasRoleIn,
  insertMembership,
  lockOrganization,
  organizationFromRow,
} from '../../store.ts';
import type { InvitationCreator, OrganizationInvitation } from '../organization-invitation.ts';
import { obstacleToAccepting, rolesToInvite } from '../rules.ts';
import {
  creatorFromRow,
  invitationFromRow,
  lockPendingInvitation,
  type Presented,
  type PresentedRow,
  recordAcceptance,
  selectPresented,
} from '../store.ts';

const event = 'organization_invitation.accept';

/** The organization as the new member sees it, and the accepted invitation. */
export interface JoinedOrganization {
  organization: Organization;
  invitation: OrganizationInvitation;
}

/**
 * Accepts the invitation with this id. The invitation must name the actor. The actor becomes a member.
 *
 * @throws AuthError as in `acceptPresented`
 */
export async function acceptReceivedInvitation(
  runtime: Runtime,
  actor: SignedInActor,
  id: string,
): Promise<JoinedOrganization> {
  if (isUuid(id)) return acceptPresented(runtime, actor, { id, userId: actor.user.id });
  return refuse(runtime, actor, { event, code: 'invitation_not_found', reason: 'invitation_unknown' });
}

/**
 * Accepts the invitation whose link contains this token. The actor becomes a member. A link is single-use.
 *
 * @throws AuthError as in `acceptPresented`
 */
export const acceptInvitationLink = (
  runtime: Runtime,
  actor: SignedInActor,
  token: string,
): Promise<JoinedOrganization> => acceptPresented(runtime, actor, { tokenHash: hashToken(token) });

/**
 * Accepts an invitation. The statement repeats every check, and writes only if every check succeeds again. To avoid
 * deadlocks, the statement locks in a fixed order: account, session, organization, invitation.
 *
 * The statement increments the account's version, so a concurrent deletion of the account has to retry. The retry also
 * deletes the membership. Concurrent requests cannot exceed the largest number of organizations of a user either.
 *
 * @throws AuthError `invitation_not_found` | `invitation_unusable` | `already_a_member` | `too_many_organizations`
 * @throws AuthError `not_authenticated` if the session ends during the call
 */
async function acceptPresented(
  runtime: Runtime,
  actor: SignedInActor,
  presented: Presented,
): Promise<JoinedOrganization> {
  const { user, session } = actor;
  return retryVersionConflicts(async () => {
    const [row] = await runtime.db.query<
      { my_version: number; organizations: string } & (PresentedRow | { invitation_id: null })
    >(sql`
      with me as (${selectUser(user.id)}),
        joined as (${countMembershipsOf(sql`select user_id from me`)}),
        presented as (${selectPresented(presented, user.id)})
      select me.version as my_version, joined.organizations, presented.*
      from me join joined on true left join presented on true`);
    if (!row) throw new AuthError('not_authenticated');
    if (row.invitation_id === null) return refuseUnknown(runtime, actor, presented);

    const invitation = invitationFromRow(row);
    const { role } = invitation;
    const organizationId = invitation.organization.id;
    const target = { type: 'invitation', id: invitation.id, name: invitation.username } as const;
    const attempt = { event, target, organizationId } as const;
    const isMember = row.my_role !== null;
    const creator = creatorFromRow(row);
    const organizations = Number(row.organizations);
    const { status } = invitation;
    const code = obstacleToAccepting(runtime.grants, { status, role, creator, isMember, organizations });
    if (code) return refuse(runtime, actor, { ...attempt, code, reason: code });

    const entry = { ...attempt, outcome: 'success', details: { role } } as const;
    const [done] = await runtime.db.query<AcceptedRow>(sql`
      with known as (${selectLiveSession(session.id)}),
        me as (${lockActive(user.id, row.my_version)}),
        live as (${lockLiveSession(session.id, andExists('me'))}),
        organization as (${lockOrganization(organizationId, andExists('live'))}),
        creator as (${stillEntitledCreator(runtime, creator, role)}),
        pending as (${lockPendingInvitation(invitation.id, sql`${andExists('organization')} ${andExists('creator')}`)}),
        moved as (${claimVersion(user.id, row.my_version, andExists('pending'))}),
        member as (${insertMembership({ organizationId, role }, user.id, from('moved'))}),
        accepted as (${recordAcceptance(invitation.id, user.id, andExists('member'))}),
        entry as (${recordEvent(actor, entry, from('accepted'))})
      select accepted.invitation_id, accepted.accepted_at from known left join accepted on true`);
    if (!done) throw new AuthError('not_authenticated');
    if (done.invitation_id === null) return versionConflict;
    return {
      organization: organizationFromRow(row, role),
      invitation: {
        ...invitation,
        status: 'accepted',
        acceptedBy: { id: user.id, username: user.username },
        acceptedAt: rfc3339(done.accepted_at),
      },
    };
  });
}

/** Returns a row if the creator of the invitation still has the right to invite. Operators always have this right. */
export function stillEntitledCreator(
  { grants }: Pick<Runtime, 'grants'>,
  creator: InvitationCreator | null,
  invitedRole: OrganizationRole,
): Sql {
  if (creator === null) return oneRow;
  const { id, role, organizationId } = creator;
  const roles = rolesToInvite(grants, creator, invitedRole);
  const stillInRole = roles === null ? sql`` : sql`and ${hasRoleIn(organizationId, id, roles)}`;
  return sql`${selectActiveInRole(id, role)} ${stillInRole}`;
}

type AcceptedRow = { invitation_id: string; accepted_at: Timestamp } | { invitation_id: null };

const refuseUnknown = (runtime: Runtime, actor: SignedInActor, presented: Presented): Promise<never> =>
  refuse(runtime, actor, {
    event,
    code: 'invitation_not_found',
    ...('id' in presented
      ? { reason: 'invitation_unknown', target: { type: 'invitation', id: presented.id, name: null } }
      : { reason: 'token_unknown' }),
  });
