import {
  type CapabilityOptions,
  type CapabilityTable,
  type Scope,
  scopes,
} from '../core/capability-table.ts';
import { suggestion } from '../core/closest-name.ts';
import { describe } from '../core/known-options.ts';
import { type Role, roles } from '../core/user.ts';

type Table = { [R in Role]: { [name: string]: Scope | readonly Scope[] } };

/**
 * Applies the option `capabilities`: adds the application's capabilities, and narrows built-in capabilities. Narrowing
 * changes only the named role, so a higher role keeps what it had.
 *
 * @param builtIn the built-in capabilities of the service
 * @throws TypeError for an unknown role or scope, and for a scope that would give a role more than the built-in table
 */
export function withCapabilities(
  given: CapabilityOptions<string> | undefined,
  builtIn: CapabilityTable<string>,
): CapabilityTable<string> {
  const added = given === undefined ? {} : given;
  if (typeof added !== 'object' || added === null || Array.isArray(added))
    throw new TypeError(`capabilities: expected an object, given ${describe(given)}`);
  const table = inheriting(builtIn);
  const names = Object.keys(table.superadmin);
  for (const [role, granted] of Object.entries(added)) {
    if (!isRole(role))
      throw new TypeError(
        `capabilities.${role}: expected one of ${roles.join(', ')}.${suggestion(role, roles)}`,
      );
    if (typeof granted !== 'object' || granted === null)
      throw new TypeError(`capabilities.${role}: expected an object such as { 'report:read': 'joined' }`);
    for (const [name, scope] of Object.entries(granted)) {
      const path = `capabilities.${role}['${name}']`;
      if (names.includes(name)) narrow(path, table[role], name, scope);
      else table[role][name] = ownScope(path, name, scope);
    }
  }
  for (const name of names) assertHigherRolesReachAsFar(table, name);
  return table;
}

const isRole = (name: string): name is Role => roles.some((role) => role === name);

/** Copies each built-in capability to the higher roles that only inherit it, so that narrowing one role keeps theirs. */
function inheriting(builtIn: CapabilityTable<string>): Table {
  const table: Table = { user: {}, admin: {}, superadmin: {} };
  let inherited: { [name: string]: Scope } = {};
  for (const role of roles) {
    inherited = { ...inherited, ...(builtIn[role] as { [name: string]: Scope }) };
    // Without a prototype, so that every name is an ordinary property.
    table[role] = Object.assign(Object.create(null), inherited);
  }
  return table;
}

function ownScope(path: string, name: string, scope: unknown): Scope | readonly Scope[] {
  if (name.startsWith('organization:'))
    throw new TypeError(`${path}: expected a name that does not start with "organization:"`);
  if (scope === undefined || ![scope].flat().every((one) => scopes.some((known) => known === one)))
    throw new TypeError(`${path}: expected scopes among ${scopes.join(', ')}`);
  return scope as Scope | readonly Scope[];
}

/** From the narrowest to the widest. Built-in capabilities do not use `own`. */
const widths: readonly unknown[] = ['managed', 'joined', 'any'] satisfies readonly Scope[];

const widthOf = (scope: unknown): number => widths.indexOf(scope);

/**
 * The narrower scopes that the operations behind a capability enforce. The other built-in capabilities concern no
 * organization, so a role has them completely or not at all.
 */
const enforced: { readonly [name: string]: readonly Scope[] } = {
  'organization:read': ['joined', 'managed'],
  'organization:members:read': ['joined', 'managed'],
  'organization:update': ['managed'],
  'organization:delete': ['managed'],
  'organization:members:add': ['managed'],
  'organization:members:invite': ['managed'],
  'organization:members:promote': ['managed'],
  'organization:members:remove': ['managed'],
  'user:read': ['managed'],
  'user:update': ['managed'],
  'user:recover': ['managed'],
  'user:end_sessions': ['managed'],
  'audit:read': ['managed'],
};

function narrow(path: string, granted: Table[Role], name: string, scope: unknown): void {
  const now = granted[name];
  const narrower = (enforced[name] ?? []).filter((one) => widthOf(one) < widthOf(now));
  const expected =
    now === undefined
      ? 'no value, because the role does not have this built-in capability. Built-in capabilities can only be narrowed; for other rights, use a capability of your own'
      : `${[...[now].flat(), ...narrower].map((one) => `'${one}'`).join(', ')} or false, because built-in capabilities can only be narrowed`;
  if (scope === false) delete granted[name];
  else if (now !== undefined && narrower.some((one) => one === scope)) granted[name] = scope as Scope;
  else if (now === undefined || scope !== now) throw new TypeError(`${path}: expected ${expected}`);
}

/** A role also has all capabilities of the lower roles, so narrowing only the higher role would have no effect. */
function assertHigherRolesReachAsFar(table: Table, name: string): void {
  for (const [index, lower] of roles.entries())
    for (const higher of roles.slice(index + 1))
      if (widthOf(table[lower][name]) > widthOf(table[higher][name]))
        throw new TypeError(
          `capabilities.${higher}['${name}']: the role ${lower} has '${table[lower][name]}', and a role has all capabilities of the lower roles. Narrow capabilities.${lower}, too`,
        );
}
