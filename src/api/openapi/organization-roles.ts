import type { OrganizationRole } from '../../roles/principal.ts';
import type { OrganizationRoleMark } from '../organization-roles.ts';

/** Adds the configured organization roles to each schema with the mark `organizationRole`. Removes the marks. */
export function withOrganizationRoles(document: object, roles: readonly OrganizationRole[]): object {
  const names = roles.map((role) => `\`${role}\``).join(', ');
  const described: Record<OrganizationRoleMark, object> = {
    given: { enum: roles },
    shown: {
      description: `One of ${names}, or a role that the service no longer configures. Such a role grants what \`user\` grants.`,
    },
  };
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (typeof node !== 'object' || node === null) return node;
    const { organizationRole: mark, ...rest } = node as { organizationRole?: OrganizationRoleMark };
    const converted = Object.fromEntries(
      Object.entries(rest).map(([name, member]) => [name, convert(member)]),
    );
    return mark === undefined ? converted : { ...converted, ...described[mark] };
  };
  return convert(document) as object;
}
