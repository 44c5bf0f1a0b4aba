import type { Grants } from '../core/capability-table.ts';
import type { User } from '../core/user.ts';
import { obstacleToImpersonate } from '../impersonation/rules.ts';
import type { Capability } from '../roles/capabilities.ts';
import type { OrganizationRole } from '../roles/principal.ts';
import { canLoseAuthority, obstacleToHelp, reachOf } from '../roles/rules.ts';
import type { UserActionObstacle, UserActionState } from './user-record.ts';

/** The facts that decide what a caller can do with a user. */
export interface ActionCase {
  grants: Grants;
  caller: User;
  user: User;
  /** All memberships of the user. */
  memberships: readonly { role: OrganizationRole; managedByHelper: boolean }[];
  activeSuperadmins: number;
  impersonation: boolean;
  /** Whether the service allows admins to change usernames. */
  renames: boolean;
}

type HelpingCapability = Extract<Capability, 'user:update' | 'user:recover' | 'user:end_sessions'>;

/** Returns each action, and why the caller cannot do it. The endpoints of the actions use the same rules. */
export function actionsOn(given: ActionCase): UserActionState[] {
  const { user } = given;
  const isActive = user.status === 'active';
  const help = (capability: HelpingCapability) => obstacleToHelpWith(given, capability);
  const authority = canLoseAuthority({ ...user, activeSuperadmins: given.activeSuperadmins })
    ? null
    : 'last_superadmin';
  const manage = capabilityObstacle(given, 'user:manage');
  return [
    { name: 'user.update', obstacle: help('user:update') },
    { name: 'user.rename', obstacle: given.renames ? help('user:update') : 'switched_off' },
    { name: 'user.end_sessions', obstacle: help('user:end_sessions') },
    {
      name: 'recovery_link.create',
      obstacle: help('user:recover') ?? (isActive ? null : 'account_disabled'),
    },
    { name: 'impersonation.start', obstacle: impersonationObstacle(given) },
    { name: 'user.change_role', obstacle: capabilityObstacle(given, 'role:assign') ?? authority },
    { name: 'user.disable', obstacle: manage ?? (isActive ? authority : 'account_disabled') },
    { name: 'user.enable', obstacle: manage ?? (isActive ? 'account_active' : null) },
    { name: 'user.delete', obstacle: manage ?? authority },
  ];
}

/**
 * What the caller can read about how the user signs in:
 *
 * - `all`: everything, for callers who can read all users
 * - `without_uses`: only what an admin needs to help the user. Sessions, sign-ins and uses of passkeys belong to no
 *   organization, and can be older than the membership. Only for users for whom the admin can create recovery links,
 *   because other members also belong to organizations of others.
 * - null: nothing
 */
export function visibleDetails(given: ActionCase): 'all' | 'without_uses' | null {
  if (reachOf(given.grants, given.caller, 'user:read') === 'any') return 'all';
  return obstacleToHelpWith(given, 'user:recover') === null ? 'without_uses' : null;
}

const obstacleToHelpWith = (
  { grants, caller, user, memberships }: ActionCase,
  capability: HelpingCapability,
): UserActionObstacle | null =>
  reachOf(grants, caller, capability) === null
    ? 'role_too_low'
    : obstacleToHelp({ helper: caller, reach: reachOf(grants, caller, capability), user, memberships });

const capabilityObstacle = (
  { grants, caller }: ActionCase,
  capability: 'role:assign' | 'user:manage',
): UserActionObstacle | null => (reachOf(grants, caller, capability) === null ? 'role_too_low' : null);

function impersonationObstacle({
  grants,
  caller,
  user,
  impersonation,
}: ActionCase): UserActionObstacle | null {
  if (!impersonation) return 'switched_off';
  if (reachOf(grants, caller, 'user:impersonate') === null) return 'role_too_low';
  return obstacleToImpersonate(caller, user);
}
