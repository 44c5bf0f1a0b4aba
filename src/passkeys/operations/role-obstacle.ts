import type { FoundRoleObstacle } from '../../core/role-obstacle.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Role } from '../../core/user.ts';
import { lowestRole } from '../../core/user.ts';
import { type ModelRow, passkeyOfModel, selectModelsOf } from '../store/models.ts';
import { type FoundObstacle, findObstacle, hasPolicy } from './check-authenticator.ts';

/** Implements `RoleObstacle`. A role above `user` with requirements needs at least one passkey. */
export async function findRoleObstacle(
  runtime: Pick<Runtime, 'config' | 'metadata' | 'log' | 'db'>,
  userId: string,
  role: Role,
): Promise<FoundRoleObstacle | null> {
  if (role === lowestRole || !hasPolicy(runtime, role)) return null;
  const rows = await runtime.db.query<ModelRow>(selectModelsOf(userId));
  const obstacles: FoundObstacle[] = [];
  for (const row of rows) {
    const obstacle = await findObstacle(runtime, passkeyOfModel(row), role, 'role_change');
    if (obstacle !== null) obstacles.push(obstacle);
  }
  const [first] = obstacles;
  if (first) {
    const text = first.message ?? 'The application refused the authenticator.';
    return {
      reason: first.reason,
      message: `${obstacles.length} of the ${rows.length} passkeys of this user cannot be used with the role ${role}. ${text}`,
    };
  }
  if (rows.length > 0 || runtime.config.authenticators.requirements[role].every(isEmpty)) return null;
  return {
    reason: 'no_passkey',
    message: `This user has no passkey, but the role ${role} requires one of certain authenticators.`,
  };
}

const isEmpty = (requirements: object): boolean => Object.keys(requirements).length === 0;
