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
