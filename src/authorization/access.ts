import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { ReadSession } from '../core/session.ts';
import { lowestRole, type Role } from '../core/user.ts';
import { readMembership } from '../organizations/operations/memberships.ts';
import type { Resource } from '../roles/principal.ts';
import { can, isAtLeast, isStranger, needsPrivilege } from '../roles/rules.ts';
import { obstacleToPrivileged, requireNo } from '../sessions/rules.ts';

/**
 * Checks the role of a user who has a full session. For a role above `user`, the session must be privileged.
 *
 * @throws AuthError `forbidden` | `passkey_required`
 */
export function assertRole(read: ReadSession, role: Role): void {
  if (!isAtLeast(read.user.role, role)) throw new AuthError('forbidden');
  if (role !== lowestRole) requireNo(obstacleToPrivileged(read));
}

/**
 * Checks a capability of a user who has a full session. Reads the user's membership from the database.
 *
 * @throws AuthError `forbidden` | `not_found` for a stranger to the resource | `passkey_required`
 */
export async function assertCapability(
  runtime: Runtime,
  read: ReadSession,
  capability: string,
  resource: Resource,
): Promise<void> {
  const { organizationId } = resource;
  const memberships =
    organizationId == null ? [] : await readMembership(runtime, read.user.id, organizationId);
  const principal = { ...read.user, memberships };
  if (!can(runtime.grants, principal, capability, resource))
    throw new AuthError(isStranger(runtime.grants, principal, resource) ? 'not_found' : 'forbidden');
  if (needsPrivilege(runtime.grants, principal, capability, resource)) requireNo(obstacleToPrivileged(read));
}
