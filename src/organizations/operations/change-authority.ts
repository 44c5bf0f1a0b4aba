import { isSignedIn } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { OrganizationCapability } from '../../roles/capabilities.ts';
import { canGive, canTake, isConfigured, organizationRolesOf } from '../../roles/organization-roles.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import type { EntitledIn } from '../entitled-in.ts';
import { hasRoleIn } from '../store.ts';

/** The organization roles that an operation gives to a user and takes from a user. */
export interface RoleChange {
  given?: OrganizationRole;
  taken?: OrganizationRole;
}

type By = EntitledIn<OrganizationCapability>;

/**
 * Whether an actor who has the capability can also give and take these roles. Superadmins and operators can give all
 * configured roles and take all roles. A member needs a role with all capabilities of these roles, so that no member can
 * promote, demote or remove a member with more rights. Among the members, only organization admins can give and take the
 * role `admin`.
 */
export function canChange({ grants }: Pick<Runtime, 'grants'>, by: By, change: RoleChange): boolean {
  if (by.reach === 'any') return change.given === undefined || isConfigured(grants, change.given);
  const { myRole } = by.organization;
  return myRole !== null && suffices(grants, myRole, change);
}

/**
 * Repeats `canChange` inside a statement, together with `stillEntitled`: the actor still has a role with the capability,
 * and this role still suffices for the change.
 */
export function stillEntitledTo({ grants }: Pick<Runtime, 'grants'>, by: By, change: RoleChange): Sql {
  const { actor, grantingRoles, organization, reach, stillEntitled } = by;
  if (reach === 'any' || !isSignedIn(actor)) return stillEntitled;
  const sufficient = (grantingRoles ?? organizationRolesOf(grants)).filter((role) =>
    suffices(grants, role, change),
  );
  if (sufficient.length === grantingRoles?.length) return stillEntitled;
  return sql`${stillEntitled} and ${hasRoleIn(organization.id, actor.user.id, sufficient)}`;
}

const suffices = (grants: Runtime['grants'], own: OrganizationRole, { given, taken }: RoleChange): boolean =>
  (given === undefined || canGive(grants, own, given)) &&
  (taken === undefined || canTake(grants, own, taken));

/** The refusal of a change that `canChange` does not allow. */
export const roleAboveOwn = { code: 'forbidden', reason: 'role_above_own' } as const;
