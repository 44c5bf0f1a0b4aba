import type { Role } from './user.ts';

export const scopes = ['own', 'joined', 'managed', 'any'] as const;

/**
 * Where a capability applies:
 *
 * - `own`: to resources that the user owns. If a resource belongs to an organization, the user must also be a member.
 * - `joined`: to the resources of each organization that has the user as a member
 * - `managed`: to the resources of each organization that has the user as an organization admin
 * - `any`: to every resource
 */
export type Scope = (typeof scopes)[number];

/** The capabilities of each role. Each capability has one scope or several. */
export type CapabilityTable<Name extends string> = {
  readonly [R in Role]?: { readonly [N in Name]?: Scope | readonly Scope[] };
};

/**
 * The option `capabilities`: the application's own capabilities, and narrower scopes for built-in capabilities. `false`
 * removes a built-in capability from a role.
 */
export type CapabilityOptions<Name extends string> = {
  readonly [R in Role]?: { readonly [N in Name]?: Scope | readonly Scope[] | false };
};

/** The capabilities that the roles of a service grant. */
export interface Grants {
  /** For each role of accounts. */
  readonly byRole: CapabilityTable<string>;
  /** For each custom organization role: the capabilities that its members have in addition to those of all members. */
  readonly byOrganizationRole: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether memberships grant anything. False: the service has no organizations. */
  readonly organizations: boolean;
}
