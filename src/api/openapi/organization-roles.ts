import type { OrganizationRole } from '../../roles/principal.ts';

/** Lists the configured organization roles wherever a schema has the mark `organizationRole`. Removes the marks. */
export function withOrganizationRoles(document: object, roles: readonly OrganizationRole[]): object {
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (typeof node !== 'object' || node === null) return node;
    const { organizationRole: marked, ...rest } = node as { organizationRole?: true };
    const converted = Object.fromEntries(
      Object.entries(rest).map(([name, member]) => [name, convert(member)]),
    );
    return marked === true ? { ...converted, enum: roles } : converted;
  };
  return convert(document) as object;
}
