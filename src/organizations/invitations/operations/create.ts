import { v7 as uuid } from 'uuid';
import { refuse } from '../../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../../audit/store.ts';
import { isSignedIn } from '../../../core/actor.ts';
import { AuthError } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { andExists, from, sql } from '../../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../../db/version-conflict.ts';
import type { OrganizationRole } from '../../../roles/principal.ts';
import { hashToken, newSessionToken } from '../../../sessions/token.ts';
import { usernameLookup } from '../../../users/rules.ts';
import { claimVersion } from '../../../users/store/versions.ts';
import type { UsernameLookup } from '../../../users/username-lookup.ts';
import type { EntitledIn } from '../../entitled-in.ts';
import { canChange, roleAboveOwn, stillEntitledTo } from '../../operations/change-authority.ts';
import type { Organization } from '../../organization.ts';
import { claimOrganizationVersion, selectOrganizationFor } from '../../store.ts';
import type { CreatedOrganizationInvitation } from '../organization-invitation.ts';
import { obstacleToInviting } from '../rules.ts';
import {
  countPendingIn,
  countReceivedBy,
  type InviteeRow,
  insertInvitation,
  invitationFromRow,
  type OwnRow,
  selectInvitee,
} from '../store.ts';

const event = 'organization_invitation.create';
const secondsInHour = 60 * 60;

export interface OrganizationInvitationRequest {
  /** The only user who can accept. If absent, any user with the link can accept, until one user has accepted. */
  username?: string | undefined;
  role: OrganizationRole;
  /** A whole number from 1 to 720. */
  expiresInHours: number;
}

/**
 * Invites a user to an organization, or creates a link. Stores only the hash of a link's token. The actor needs all
 * capabilities of the role that the user gets.
 *
 * The statement writes only if the organization's version is unchanged, and increments the version. So concurrent
 * requests cannot exceed the limits: one pending invitation for each user, and 100 for the organization. A request that
 * demotes or removes the creator increments the same version. So if both requests run at the same time, only one of
 * them succeeds at the first attempt.
 *
 * The statement does the same with the version of the invited user's account. So concurrent requests of several
 * organizations cannot exceed the limit of 100 pending invitations for the user. A concurrent deletion of the account
 * has to retry, and the retry revokes the invitation.
 *
 * @throws AuthError `not_found` if no user has the username, or if the organization was deleted during the call
 * @throws AuthError `account_disabled` | `already_a_member` | `already_invited` | `too_many_invitations`
 * @throws AuthError `not_authenticated` | `forbidden` if the actor's session ends or the actor's rights change during
 *   the call
 */
export async function createOrganizationInvitation(
  runtime: Runtime,
  by: EntitledIn<'organization:members:invite'>,
  { username, role, expiresInHours }: OrganizationInvitationRequest,
): Promise<CreatedOrganizationInvitation> {
  const { actor, organization } = by;
  const lookup = username === undefined ? null : usernameLookup(username, runtime.config.usernames);
  return retryVersionConflicts(async () => {
    const { version, invitee, received, pending } = await readState(runtime, organization.id, lookup);
    const name = invitee?.username ?? lookup?.canonical ?? null;
    const attempt = {
      event,
      target: { type: 'user', id: invitee?.user_id ?? null, name: name || null },
      organizationId: organization.id,
    } as const;
    if (!canChange(runtime, by, { given: role }))
      return refuse(runtime, actor, { ...attempt, target: targetOf(organization), ...roleAboveOwn });
    const code = obstacleToInviting({
      invitee: name === null ? null : invitee && inviteeState(invitee, received),
      pending,
    });
    if (code) {
      const reason = code === 'not_found' ? 'username_unknown' : code;
      const target = name === null ? targetOf(organization) : attempt.target;
      return refuse(runtime, actor, { ...attempt, target, code, reason });
    }

    const token = name === null ? newSessionToken() : null;
    const creator = isSignedIn(actor) ? actor.user : null;
    const invitation = {
      id: uuid(),
      organizationId: organization.id,
      role,
      userId: invitee?.user_id ?? null,
      tokenHash: token && hashToken(token),
      createdBy: creator?.id ?? null,
      lifetimeSeconds: expiresInHours * secondsInHour,
    };
    const entry = {
      ...attempt,
      target: { type: 'invitation', id: invitation.id, name },
      outcome: 'success',
      details: { role, expiresInHours },
    } as const;
    // A link has no invited user, so the statement claims no account's version.
    const moving =
      invitee && sql`invitee as (${claimVersion(invitee.user_id, invitee.version, andExists('claimed'))}),`;
    const [row] = await runtime.db.query<OwnRow | { invitation_id: null }>(sql`
      with entitled as (${stillEntitledTo(runtime, by, { given: role })}),
        claimed as (${claimOrganizationVersion(organization.id, version, andExists('entitled'))}),
        ${moving ?? sql``}
        invitation as (${insertInvitation(invitation, from(moving ? 'invitee' : 'claimed'))}),
        entry as (${recordEvent(actor, entry, from('invitation'))})
      select invitation.* from entitled left join invitation on true`);
    if (!row) return refuseUnentitled(runtime, by, { ...attempt, target: targetOf(organization) });
    if (row.invitation_id === null) return versionConflict;
    return {
      invitation: invitationFromRow({
        ...row,
        organization_id: organization.id,
        name: organization.name,
        slug: organization.slug,
        invited_username: name,
        creator_name: creator?.username ?? null,
        acceptor_name: null,
      }),
      token,
      url: token && `${runtime.config.joinPage}#token=${token}`,
    };
  });
}

interface InvitingRow {
  organization_version: number;
  received: string;
  pending: string;
}

/** @throws AuthError `not_found` if the organization was deleted during the call */
async function readState(runtime: Runtime, organizationId: string, lookup: UsernameLookup | null) {
  const [row] = await runtime.db.query<InvitingRow & (InviteeRow | { user_id: null })>(sql`
    with organization as (${selectOrganizationFor(organizationId, null)}),
      invitee as (${selectInvitee(organizationId, lookup)}),
      received as (${countReceivedBy(sql`select user_id from invitee`)}),
      pending as (${countPendingIn(organizationId)})
    select organization.version as organization_version, received.received, pending.pending, invitee.*
    from organization
    join received on true
    join pending on true
    left join invitee on true`);
  if (!row) throw new AuthError('not_found');
  return {
    version: row.organization_version,
    invitee: row.user_id === null ? undefined : row,
    received: Number(row.received),
    pending: Number(row.pending),
  };
}

const inviteeState = ({ status, member_role, pending_id }: InviteeRow, received: number) => ({
  status,
  isMember: member_role !== null,
  isInvited: pending_id !== null,
  received,
});

const targetOf = ({ id, name }: Organization) => ({ type: 'organization', id, name }) as const;
