import { refuse } from '../../audit/operations/refuse.ts';
import type { Attempt } from '../../authorization/authorize.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { type Statement, sql } from '../../db/database.ts';
import type { Capability } from '../../roles/capabilities.ts';
import type { MembershipRole } from '../../roles/principal.ts';
import { can, isStranger } from '../../roles/rules.ts';
import { selectEntitled } from '../../sessions/store.ts';
import type { Organization } from '../organization.ts';
import {
  isManagedBy,
  type OrganizationRow,
  organizationFromRow,
  selectOrganizationFor,
  selectOrganizationWithSlug,
} from '../store.ts';

/**
 * The organization, for a user who has the capability in it. A user who is not a member gets `not_found`. A refused
 * attempt to change something is recorded.
 *
 * @param event the attempt's name in the audit log; null: reading is no event
 * @throws AuthError `not_found` | `forbidden`
 */
export async function findOrganization(
  runtime: Runtime,
  { actor, organizationId }: { actor: SignedInActor; organizationId: string },
  capability: Capability,
  event: Attempt['event'] | null,
): Promise<Organization> {
  const [row] = isUuid(organizationId)
    ? await runtime.db.query<OrganizationRow & { my_role: MembershipRole | null }>(
        selectOrganizationFor(organizationId, actor.user.id),
      )
    : [];
  if (!row) throw new AuthError('not_found');
  const { my_role: role } = row;
  const principal = { ...actor.user, memberships: role ? [{ organizationId, role }] : [] };
  const organization = organizationFromRow(row, role);
  if (can(principal, capability, { organizationId })) return organization;

  const code = isStranger(principal, { organizationId }) ? 'not_found' : 'forbidden';
  if (event === null) throw new AuthError(code);
  const reason =
    code === 'not_found' ? 'not_a_member' : role === 'admin' ? 'role_too_low' : 'not_an_organization_admin';
  return refuse(runtime, actor, { ...attemptIn(organization, event), code, reason });
}

/** An attempt in an organization, which is what it is about unless something else is named. */
export const attemptIn = (
  { id, name }: Pick<Organization, 'id' | 'name'>,
  event: Attempt['event'],
): Attempt => ({ event, target: { type: 'organization', id, name }, organizationId: id });

/** Gives a row while the actor can still manage the organization; see `selectEntitled`. */
export const selectEntitledIn = (actor: SignedInActor | Operator, { id }: Organization): Statement =>
  selectEntitled(
    actor,
    isSignedIn(actor) && actor.user.role !== 'superadmin'
      ? sql`and ${isManagedBy(id, actor.user.id)}`
      : sql``,
  );

/** An organization by its slug, for an operator. @throws AuthError `not_found` */
export async function findOrganizationWithSlug(runtime: Runtime, slug: string): Promise<Organization> {
  const [row] = await runtime.db.query<OrganizationRow>(selectOrganizationWithSlug(slug));
  if (!row) throw new AuthError('not_found');
  return organizationFromRow(row, null);
}
