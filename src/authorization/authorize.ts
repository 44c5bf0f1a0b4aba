import type { AuditReader } from '../audit/operations/read-events.ts';
import { type Attempt, refuse } from '../audit/operations/refuse.ts';
import type { SignedInActor } from '../core/actor.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { sql } from '../db/sql.ts';
import type { EntitledIn } from '../organizations/entitled-in.ts';
import { attemptIn, findOrganizationFor } from '../organizations/operations/find-organization.ts';
import { hasJoinedAfter, isMember, selectOrganizationsManagedBy } from '../organizations/store/managed.ts';
import { hasRoleIn } from '../organizations/store.ts';
import {
  type Capability,
  isOrganizationCapability,
  type OrganizationCapability,
} from '../roles/capabilities.ts';
import { entitle } from '../roles/entitle.ts';
import type { Entitled, Reach } from '../roles/entitled.ts';
import {
  can,
  canAnywhere,
  isStranger,
  needsPrivilege,
  organizationRolesWith,
  reachOf,
} from '../roles/rules.ts';
import { sessionChecks } from '../sessions/session-checks.ts';

/** The return type of `authorize` for a capability. */
export type EntitledTo<Name extends Capability> = Name extends OrganizationCapability
  ? EntitledIn<Name>
  : Name extends 'audit:read'
    ? AuditReader
    : Entitled<Name>;

export interface AuthorizationRequest<Name extends Capability> extends Omit<Attempt, 'event'> {
  capability: Name;
  /** Whether the actor needs the capability for every resource. */
  everywhere?: boolean | undefined;
  /** The audit event of a refusal. Absent: a refusal is not recorded. */
  event?: Attempt['event'] | undefined;
}

/**
 * Checks the capability table, and returns a proof of the capability. Operations take this proof as a parameter. For an
 * organization capability, `authorize` also checks the actor's membership in the organization. Any other capability
 * covers either every resource, or only the resources of the organizations that the actor manages. In the second case,
 * `reach` in the proof contains this limit, and the operation must check each resource.
 *
 * @throws AuthError `forbidden` if the actor does not have the capability
 * @throws AuthError `passkey_required` if the actor has the capability only because of a role (see
 *   `needsPrivilege`), and the actor's session is not privileged
 * @throws AuthError `impersonating` instead of `passkey_required` in an impersonated session
 * @throws AuthError `not_found` for an unknown organization
 * @throws AuthError `not_found` instead of `forbidden` if the actor is not a member of the organization
 * @example const by = await authorize(runtime, actor, { capability: 'invitation:manage', event: 'invitation.create' });
 */
export async function authorize<Name extends Capability>(
  runtime: Runtime,
  actor: SignedInActor,
  request: AuthorizationRequest<Name>,
): Promise<EntitledTo<Name>> {
  const { capability, organizationId = '' } = request;
  const entitled = isOrganizationCapability(capability)
    ? await authorizeIn(runtime, actor, { ...request, capability, organizationId })
    : await authorizeByRole(runtime, actor, request);
  return entitled as EntitledTo<Name>;
}

async function authorizeByRole(
  runtime: Runtime,
  actor: SignedInActor,
  { capability, everywhere, event, target }: AuthorizationRequest<Capability>,
): Promise<Entitled<Capability>> {
  const reached = reachOf(runtime.grants, actor.user, capability);
  if (reached === null || (everywhere && reached !== 'any'))
    return refuseWith(runtime, actor, { event, target }, 'forbidden', 'role_too_low');
  const needs = needsPrivilege(runtime.grants, actor.user, capability, {}) ? 'privileged' : 'any';
  await requirePrivilege(runtime, actor, needs, { event, target });
  const reach: Reach = reached === 'any' ? 'any' : { managedBy: actor.user.id };
  const scope = reach === 'any' ? null : auditScopeOf(reach.managedBy);
  return entitle(capability, { ...sessionChecks(runtime, actor, needs), reach, scope });
}

async function authorizeIn(
  runtime: Runtime,
  actor: SignedInActor,
  {
    capability,
    event,
    organizationId,
  }: AuthorizationRequest<OrganizationCapability> & { organizationId: string },
): Promise<EntitledIn<OrganizationCapability>> {
  const { grants } = runtime;
  const organization = await findOrganizationFor(runtime, actor.user.id, organizationId);
  if (!organization) throw new AuthError('not_found');
  const { myRole: role } = organization;
  const principal = { ...actor.user, memberships: role ? [{ organizationId, role }] : [] };
  const attempt = event === undefined ? {} : attemptIn(organization, event);
  if (can(grants, principal, capability, { organizationId })) {
    const needs = needsPrivilege(grants, principal, capability, { organizationId }) ? 'privileged' : 'any';
    await requirePrivilege(runtime, actor, needs, attempt);
    const anywhere = canAnywhere(grants, actor.user, capability);
    const reach: Reach = anywhere ? 'any' : { managedBy: actor.user.id };
    const { stillEntitled, ...checks } = sessionChecks(runtime, actor, needs);
    const grantingRoles = organizationRolesWith(grants, actor.user, capability);
    const stillInRole =
      grantingRoles === null ? sql`` : sql`and ${hasRoleIn(organizationId, actor.user.id, grantingRoles)}`;
    return entitle(capability, {
      ...checks,
      reach,
      organization,
      grantingRoles,
      stillEntitled: sql`${stillEntitled} ${stillInRole}`,
    });
  }
  if (isStranger(grants, principal, { organizationId }))
    return refuseWith(runtime, actor, attempt, 'not_found', 'not_a_member');
  const reason = role === 'admin' ? 'role_too_low' : 'not_an_organization_admin';
  return refuseWith(runtime, actor, attempt, 'forbidden', reason);
}

/** Limits the audit log to the organizations that a user manages. */
const auditScopeOf = (userId: string) => ({
  organizationIds: selectOrganizationsManagedBy(userId),
  hasJoinedAfter,
  hasRoleIn,
  isMember,
});

/** @throws AuthError `passkey_required` | `impersonating` if the session must be privileged, but is not */
async function requirePrivilege(
  runtime: Runtime,
  actor: SignedInActor,
  needs: 'privileged' | 'any',
  attempt: Partial<Attempt>,
): Promise<void> {
  const code = actor.session.impersonator ? 'impersonating' : 'passkey_required';
  if (needs === 'privileged' && !actor.privileged) await refuseWith(runtime, actor, attempt, code, code);
}

/** @throws AuthError with this code */
function refuseWith(
  runtime: Runtime,
  actor: SignedInActor,
  { event, ...attempt }: Partial<Attempt>,
  code: 'forbidden' | 'not_found' | 'passkey_required' | 'impersonating',
  reason: string,
): Promise<never> {
  if (event === undefined) throw new AuthError(code);
  return refuse(runtime, actor, { ...attempt, event, code, reason });
}
