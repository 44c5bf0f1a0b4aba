import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { isConfigured } from '../../roles/organization-roles.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import type { UnconfiguredRole } from '../organization.ts';
import { countMembersByRole } from '../store.ts';

/** Returns the organization roles of members that the service does not configure. */
export async function listUnconfiguredRoles(
  { db, grants }: Runtime,
  _: Entitled<'user:read'>,
): Promise<UnconfiguredRole[]> {
  const rows = await db.query<{ member_role: OrganizationRole; members: string }>(countMembersByRole);
  return rows
    .filter(({ member_role: role }) => !isConfigured(grants, role))
    .map(({ member_role: role, members }) => ({ role, members: Number(members) }));
}
