import type { Attempt } from '../../audit/operations/refuse.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import type { Organization } from '../organization.ts';
import { isSlug } from '../rules.ts';
import {
  type OrganizationRow,
  organizationFromRow,
  selectOrganizationFor,
  selectOrganizationWithSlug,
} from '../store.ts';

/** Finds an organization and the user's role in it. Returns null if no organization has the id. */
export async function findOrganizationFor(
  runtime: Runtime,
  userId: string,
  organizationId: string,
): Promise<Organization | null> {
  const [row] = isUuid(organizationId)
    ? await runtime.db.query<OrganizationRow & { my_role: OrganizationRole | null }>(
        selectOrganizationFor(organizationId, userId),
      )
    : [];
  return row ? organizationFromRow(row, row.my_role) : null;
}

/** Finds an organization by slug, for an operator. @throws AuthError `not_found` */
export async function findOrganizationWithSlug(runtime: Runtime, slug: string): Promise<Organization> {
  const [row] = isSlug(slug) ? await runtime.db.query<OrganizationRow>(selectOrganizationWithSlug(slug)) : [];
  if (!row) throw new AuthError('not_found');
  return organizationFromRow(row, null);
}

/** Finds an organization by id, for an operator. @throws AuthError `not_found` */
export async function findOrganizationWithId(runtime: Runtime, id: string): Promise<Organization> {
  const [row] = isUuid(id) ? await runtime.db.query<OrganizationRow>(selectOrganizationFor(id, null)) : [];
  if (!row) throw new AuthError('not_found');
  return organizationFromRow(row, null);
}

/** Returns an `Attempt` with the organization as its target. */
export const attemptIn = (
  { id, name }: Pick<Organization, 'id' | 'name'>,
  event: Attempt['event'],
): Attempt => ({ event, target: { type: 'organization', id, name }, organizationId: id });
