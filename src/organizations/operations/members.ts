import { type Attempt, refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, toPage } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { isStorable, usernameLookup } from '../../users/rules.ts';
import { claimVersion } from '../../users/store/versions.ts';
import type { UsernameLookup } from '../../users/username-lookup.ts';
import type { EntitledIn } from '../entitled-in.ts';
import {
  revokeInvitationsCreatedIn,
  revokeInvitationsOfFormerMember,
} from '../invitations/store/revocations.ts';
import { type InviteeRow, selectInvitee } from '../invitations/store.ts';
import type { Member, MemberSortKey, Organization } from '../organization.ts';
import { canJoinAnother, canLoseAdminRole, type MemberState } from '../rules.ts';
import { selectMembers, selectMembersById } from '../store/member-search.ts';
import {
  claimOrganizationVersion,
  countActiveAdmins,
  countMembershipsOf,
  deleteMembership,
  insertMembership,
  lockOrganization,
  type MemberRow,
  memberFromRow,
  selectMember,
  selectOrganizationFor,
  updateMembership,
} from '../store.ts';
import { canChange, roleAboveOwn, stillEntitledTo } from './change-authority.ts';

export interface MemberSearch extends PageRequest {
  /** The beginning of a username or display name. */
  query?: string | undefined;
  /** Default: `username`. With `id`, `query` has no effect. */
  sortBy?: MemberSortKey | undefined;
}

/**
 * Returns one page of an organization's members, sorted by username or by the id of the user, which never changes.
 *
 * @throws AuthError `invalid_request` for an invalid cursor
 */
export async function listMembers(
  runtime: Runtime,
  { organization: { id } }: EntitledIn<'organization:members:read'>,
  { query, sortBy = 'username', ...page }: MemberSearch,
): Promise<Page<'members', Member>> {
  const byId = sortBy === 'id';
  const after = keyOfCursor(page, byId ? isUuid : isStorable);
  const filter = { query: query || undefined, after, limit: page.limit + 1 };
  const statement = byId ? selectMembersById(id, filter) : selectMembers(id, filter);
  const rows = await runtime.db.query<MemberRow>(statement);
  return toPage('members', rows, page, memberFromRow, (row) => (byId ? row.member_id : row.username));
}

/**
 * Adds a user to an organization without an invitation. Only superadmins and operators can do this.
 *
 * The statement writes only if the account's version is unchanged, and increments the version. So concurrent requests
 * cannot exceed the largest number of organizations of a user. A concurrent deletion of the account has to retry, and
 * the retry also deletes the membership.
 *
 * @throws AuthError `not_found` if no user has the username | `account_disabled` | `already_a_member`
 * @throws AuthError `too_many_organizations` | `not_authenticated` | `forbidden`
 */
export async function addMember(
  runtime: Runtime,
  by: EntitledIn<'organization:members:add'>,
  { username, role }: { username: string; role: OrganizationRole },
): Promise<Member> {
  const { actor, organization } = by;
  const lookup = usernameLookup(username, runtime.config.usernames);
  const membership = { organizationId: organization.id, role };
  const change = { given: role };
  return retryVersionConflicts(async () => {
    const user = await readInvitee(runtime, organization, lookup);
    const name = user?.username ?? lookup.canonical;
    const attempt = attemptOn(organization, 'member.add', { id: user?.user_id ?? null, name: name || null });
    if (!canChange(runtime, by, change)) return refuse(runtime, actor, { ...attempt, ...roleAboveOwn });
    const code = obstacleToAdding(user);
    if (!user || code)
      return refuse(runtime, actor, {
        ...attempt,
        code: code ?? 'not_found',
        reason: code ?? 'username_unknown',
      });
    const entry = { ...attempt, outcome: 'success', details: { role } } as const;
    const [row] = await runtime.db.query<(MemberRow | { member_id: null }) & { kept_id: string | null }>(sql`
      with entitled as (${stillEntitledTo(runtime, by, change)}),
        kept as (${lockOrganization(organization.id, andExists('entitled'))}),
        account as (${claimVersion(user.user_id, user.version, andExists('kept'))}),
        added as (${insertMembership(membership, user.user_id, from('account'))}),
        entry as (${recordEvent(actor, entry, from('added'))})
      select added.*, kept.id as kept_id from entitled left join kept on true left join added on true`);
    if (!row) return refuseUnentitled(runtime, by, attempt);
    if (row.kept_id === null) throw new AuthError('not_found');
    return row.member_id === null
      ? versionConflict
      : memberFromRow({ ...row, username: user.username, display_name: user.display_name });
  });
}

/** Reads the user with this username, and the number of the user's organizations. */
export async function readInvitee(
  { db }: Runtime,
  { id }: Pick<Organization, 'id'>,
  lookup: UsernameLookup,
): Promise<(InviteeRow & { organizations: string }) | undefined> {
  const [row] = await db.query<InviteeRow & { organizations: string }>(sql`
    with invitee as (${selectInvitee(id, lookup)}),
      joined as (${countMembershipsOf(sql`select user_id from invitee`)})
    select invitee.*, joined.organizations from invitee, joined`);
  return row;
}

/** Returns why a user cannot be added to the organization. Null: no user has the username, or the user can be added. */
export function obstacleToAdding(user: (InviteeRow & { organizations: string }) | undefined) {
  if (!user) return null;
  if (user.status !== 'active') return 'account_disabled';
  if (user.member_role !== null) return 'already_a_member';
  return canJoinAnother(Number(user.organizations)) ? null : 'too_many_organizations';
}

/**
 * Changes the role of a member. The last active organization admin cannot be demoted. A change to another role than
 * `admin` revokes the pending invitations that the member created for the organization.
 *
 * The statement writes only if the organization's version is unchanged, and every change of a role increments the
 * version. So the member still has the role that `canChange` checked.
 *
 * @throws AuthError `not_found` | `last_organization_admin` | `not_authenticated` | `forbidden`
 */
export async function changeMemberRole(
  runtime: Runtime,
  by: EntitledIn<'organization:members:promote'>,
  { userId, role }: { userId: string; role: OrganizationRole },
): Promise<Member> {
  const { actor, organization } = by;
  return retryVersionConflicts(async () => {
    const guarded = await readGuardedMember(runtime, organization, userId);
    const { member, version } = guarded;
    if (member.role === role) return confirmAnswer(runtime, member);
    const attempt = attemptOn(organization, 'member.change_role', { id: userId, name: member.user.username });
    const change = { given: role, taken: member.role };
    if (!canChange(runtime, by, change)) return refuse(runtime, actor, { ...attempt, ...roleAboveOwn });
    if (role !== 'admin' && !canLoseAdminRole(guarded)) {
      return refuse(runtime, actor, { ...attempt, ...lastAdmin });
    }
    const entry = { ...attempt, outcome: 'success', details: { from: member.role, to: role } } as const;
    const membership = { organizationId: organization.id, role };
    const revokeInvitations =
      role === 'admin'
        ? sql``
        : sql`revoked_invitations as (${revokeInvitationsCreatedIn(organization.id, userId, andExists('changed'))}),`;
    const [row] = await runtime.db.query<MemberRow | { member_id: null }>(sql`
      with entitled as (${stillEntitledTo(runtime, by, change)}),
        claimed as (${claimOrganizationVersion(organization.id, version, andExists('entitled'))}),
        changed as (${updateMembership(membership, userId, andExists('claimed'))}),
        ${revokeInvitations}
        entry as (${recordEvent(actor, entry, from('changed'))})
      select changed.* from entitled left join changed on true`);
    if (!row) return refuseUnentitled(runtime, by, attempt);
    return row.member_id === null ? versionConflict : { ...member, role };
  });
}

/**
 * Removes a member from an organization. The actor needs all capabilities of the member's role. The last active
 * organization admin cannot be removed. Revokes the member's pending invitations to the organization: those that the
 * member created, and those that the member received.
 *
 * @throws AuthError `not_found` | `last_organization_admin` | `not_authenticated` | `forbidden`
 */
export const removeMember = (
  runtime: Runtime,
  by: EntitledIn<'organization:members:remove'>,
  userId: string,
): Promise<void> => endMembership(runtime, by, userId, 'member.remove');

/** Ends the actor's own membership. @throws AuthError as in `removeMember` */
export const leaveOrganization = (
  runtime: Runtime,
  by: EntitledIn<'organization:leave'>,
  userId: string,
): Promise<void> => endMembership(runtime, by, userId, 'member.leave');

async function endMembership(
  runtime: Runtime,
  by: EntitledIn<'organization:members:remove'> | EntitledIn<'organization:leave'>,
  userId: string,
  event: 'member.remove' | 'member.leave',
): Promise<void> {
  const { actor, organization } = by;
  const isLeaving = event === 'member.leave';
  await retryVersionConflicts(async () => {
    const guarded = await readGuardedMember(runtime, organization, userId);
    const { member, version } = guarded;
    const attempt = attemptOn(organization, event, { id: userId, name: member.user.username });
    const change = { taken: member.role };
    if (!isLeaving && !canChange(runtime, by, change))
      return refuse(runtime, actor, { ...attempt, ...roleAboveOwn });
    if (!canLoseAdminRole(guarded)) return refuse(runtime, actor, { ...attempt, ...lastAdmin });
    const [row] = await runtime.db.query<{ user_id: string | null }>(sql`
      with entitled as (${isLeaving ? by.stillEntitled : stillEntitledTo(runtime, by, change)}),
        claimed as (${claimOrganizationVersion(organization.id, version, andExists('entitled'))}),
        removed as (${deleteMembership(organization.id, userId, andExists('claimed'))}),
        revoked_invitations as (${revokeInvitationsOfFormerMember(organization.id, userId, andExists('removed'))}),
        entry as (${recordEvent(actor, { ...attempt, outcome: 'success' }, from('removed'))})
      select removed.user_id from entitled left join removed on true`);
    if (!row) return refuseUnentitled(runtime, by, attempt);
    return row.user_id === null ? versionConflict : undefined;
  });
}

const lastAdmin = { code: 'last_organization_admin', reason: 'last_organization_admin' } as const;

const attemptOn = (
  { id }: Organization,
  event: Attempt['event'],
  user: { id: string | null; name: string | null },
): Attempt => ({ event, target: { type: 'user', ...user }, organizationId: id });

/** A member, with the facts that decide whether the member can be demoted or removed. */
interface GuardedMember extends MemberState {
  member: Member;
  /** The organization's version number, for `claimOrganizationVersion`. */
  version: number;
}

/** @throws AuthError `not_found` */
async function readGuardedMember(
  runtime: Runtime,
  { id }: Organization,
  userId: string,
): Promise<GuardedMember> {
  const [row] = isUuid(userId)
    ? await runtime.db.query<MemberRow & { version: number; admins: string }>(sql`
        with organization as (${selectOrganizationFor(id, userId)}),
          member as (${selectMember(id, userId)}),
          admin as (${countActiveAdmins(id)})
        select member.*, organization.version, admin.admins from organization, member, admin`)
    : [];
  if (!row) throw new AuthError('not_found');
  const member = memberFromRow(row);
  return {
    member,
    role: member.role,
    active: row.status === 'active',
    activeAdmins: Number(row.admins),
    version: row.version,
  };
}
