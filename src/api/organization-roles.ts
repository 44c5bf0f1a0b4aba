import * as v from 'valibot';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { listed, text } from '../http/input.ts';
import { isConfigured, organizationRolesOf } from '../roles/organization-roles.ts';
import type { OrganizationRole } from '../roles/principal.ts';

/**
 * Marks the schemas where the OpenAPI document lists the configured roles (`withOrganizationRoles`):
 *
 * - `given`: one of the configured roles
 * - `shown`: any stored role, because the service may no longer configure a role of a member
 */
export type OrganizationRoleMark = 'given' | 'shown';

type RoleSchema = v.GenericSchema<OrganizationRole>;

/** A role in a response. */
export const organizationRole = v.pipe(
  v.string(),
  v.metadata({ organizationRole: 'shown' satisfies OrganizationRoleMark }),
) as RoleSchema;

/** A role in a body. The handler checks it with `requireConfigured`, because each service configures its custom roles. */
export const organizationRoleInput = v.pipe(
  text,
  v.metadata({ organizationRole: 'given' satisfies OrganizationRoleMark }),
) as RoleSchema;

/** Returns a body whose role is configured. @throws AuthError `invalid_request` */
export function requireConfigured<Body extends { role: OrganizationRole }>(
  { grants }: Pick<Runtime, 'grants'>,
  body: Body,
): Body {
  if (isConfigured(grants, body.role)) return body;
  const message = `expected ${listed(organizationRolesOf(grants))}`;
  throw new AuthError('invalid_request', { errors: [{ path: 'role', message }] });
}
