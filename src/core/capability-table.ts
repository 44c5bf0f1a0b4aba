import type { Role } from './user.ts';

export const scopes = ['own', 'joined', 'managed', 'any'] as const;

/**
 * Where a capability applies:
 *
 * - `own`: to resources that the user owns. If the resource belongs to an organization, the user must be a member.
 * - `joined`: to resources of organizations that the user is a member of
 * - `managed`: to resources of organizations that the user is an admin of
 * - `any`: to every resource
 */
export type Scope = (typeof scopes)[number];

/** The capabilities of each role, each with one scope or several. */
export type CapabilityTable<Name extends string> = {
  readonly [R in Role]?: { readonly [N in Name]?: Scope | readonly Scope[] };
};
