import { highestRole, type User } from '../core/user.ts';
import { isAtLeast } from '../roles/rules.ts';

/** Why a user cannot be impersonated. The audit log contains this reason. */
export type ImpersonationObstacle = 'oneself' | 'role_not_lower' | 'account_disabled';

/**
 * Returns why an impersonator cannot use the account of a user, or null. The role of the user must be lower than the role
 * of the impersonator, so that an impersonation never gives rights that the impersonator does not have.
 *
 * @param impersonator null: an operator, who counts as a superadmin
 */
export function obstacleToImpersonate(
  impersonator: Pick<User, 'id' | 'role'> | null,
  user: Pick<User, 'id' | 'role' | 'status'>,
): ImpersonationObstacle | null {
  if (impersonator?.id === user.id) return 'oneself';
  const role = impersonator?.role ?? highestRole;
  if (user.role === role || !isAtLeast(role, user.role)) return 'role_not_lower';
  return user.status === 'active' ? null : 'account_disabled';
}

/** The code in the response for each obstacle. */
export const obstacleCodes = {
  oneself: 'forbidden',
  role_not_lower: 'forbidden',
  account_disabled: 'account_disabled',
} as const satisfies Record<ImpersonationObstacle, string>;
