import * as v from 'valibot';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { listed, text } from '../http/input.ts';
import { isConfigured, organizationRolesOf } from '../roles/organization-roles.ts';
import type { OrganizationRole } from '../roles/principal.ts';

// The OpenAPI document lists the configured roles where a schema has the mark `organizationRole`. See
// `withOrganizationRoles`.
type RoleSchema = v.GenericSchema<OrganizationRole>;

/** A role in a response. */
export const organizationRole = v.pipe(v.string(), v.metadata({ organizationRole: true })) as RoleSchema;

/** A role in a body. The handler checks it with `requireConfigured`, because each service has other roles. */
export const organizationRoleInput = v.pipe(text, v.metadata({ organizationRole: true })) as RoleSchema;

/** Returns a body whose role is configured. @throws AuthError `invalid_request` */
export function requireConfigured<Body extends { role: OrganizationRole }>(
  { grants }: Pick<Runtime, 'grants'>,
  body: Body,
): Body {
  if (isConfigured(grants, body.role)) return body;
  const message = `expected ${listed(organizationRolesOf(grants))}`;
  throw new AuthError('invalid_request', { errors: [{ path: 'role', message }] });
}
