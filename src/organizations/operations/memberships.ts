import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { ReadSession } from '../../core/session.ts';
import type { Membership, OrganizationRole, Principal } from '../../roles/principal.ts';
import { selectUser, type UserRow, userFromRow } from '../../users/store.ts';
import type { UserOrganization } from '../organization.ts';
import { type OrganizationRow, selectMember, selectMembershipsOf, selectOrganizationsOf } from '../store.ts';

/** Reads a user's membership in one organization. Returns an array with at most one membership. */
export async function readMembership(
  runtime: Runtime,
  userId: string,
  organizationId: string,
): Promise<Membership[]> {
  if (!runtime.grants.organizations || !isUuid(organizationId)) return [];
  const rows = await runtime.db.query<{ member_role: OrganizationRole }>(
    selectMember(organizationId, userId),
  );
  return rows.map(({ member_role: role }) => ({ organizationId, role }));
}

/**
 * Reads the organizations of the signed-in user, sorted by name. Returns none for a recovery session, because it can only
 * restore access to the account, and none if the service has no organizations.
 */
export async function readOwnOrganizations(
  runtime: Runtime,
  { user, session }: Pick<ReadSession, 'user' | 'session'>,
): Promise<UserOrganization[]> {
  if (session.kind !== 'full' || runtime.config.organizations === null) return [];
  const rows = await runtime.db.query<OrganizationRow & { member_role: OrganizationRole }>(
    selectOrganizationsOf(user.id),
  );
  return rows.map(({ organization_id: id, slug, name, member_role: role }) => ({ id, slug, name, role }));
}

/**
 * Reads a user with all memberships. Returns null if no user has the id. Without organizations, returns no memberships.
 */
export async function readPrincipal(runtime: Runtime, userId: string): Promise<Required<Principal> | null> {
  const [row] = isUuid(userId) ? await runtime.db.query<UserRow>(selectUser(userId)) : [];
  if (!row) return null;
  const { id, role, status } = userFromRow(row);
  const memberships = runtime.grants.organizations
    ? await runtime.db.query<{ organization_id: string; member_role: OrganizationRole }>(
        selectMembershipsOf(userId),
      )
    : [];
  return {
    id,
    role,
    status,
    memberships: memberships.map((membership) => ({
      organizationId: membership.organization_id,
      role: membership.member_role,
    })),
  };
}
