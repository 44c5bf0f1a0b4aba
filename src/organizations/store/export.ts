import { type Sql, sql } from '../../db/sql.ts';
import type { Timestamp } from '../../db/timestamp.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { type OrganizationRow, organizationColumns } from '../store.ts';

export interface MembershipToExportRow extends OrganizationRow {
  member_role: OrganizationRole;
  joined_at: Timestamp;
}

export const selectMembershipsToExport = (userId: string): Sql => sql`
  select ${organizationColumns}, memberships.role as member_role, memberships.joined_at
  from latchkey.memberships
  join latchkey.organizations on organizations.id = memberships.organization_id
  where memberships.user_id = ${userId}::uuid
  order by memberships.joined_at, organizations.id`;

/** The organizations that a user created, sorted by id. @param after the last id of the previous page */
export const selectOrganizationsCreatedBy = (
  userId: string,
  { after, limit }: { after: string; limit: number },
): Sql => sql`
  select ${organizationColumns} from latchkey.organizations
  where organizations.created_by = ${userId}::uuid and organizations.id > ${after}::uuid
  order by organizations.id
  limit ${limit}::integer`;
