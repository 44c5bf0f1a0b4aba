import { shortDescriptions } from '../../attestation/rules.ts';
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
  const rows = await runtime.db.query<ModelRow & { label: string }>(selectModelsOf(userId));
  const unmet: Unmet[] = [];
  for (const row of rows) {
    const obstacle = await findObstacle(runtime, passkeyOfModel(row), role, 'role_change');
    if (obstacle !== null) unmet.push({ label: row.label, obstacle });
  }
  const [first] = unmet;
  if (first) {
    const { reason } = first.obstacle;
    return { reason, message: describeUnmet(unmet, rows.length, role) };
  }
  if (rows.length > 0 || runtime.config.authenticators.requirements[role].every(isEmpty)) return null;
  return {
    reason: 'no_passkey',
    message: `This user has no passkey, but the role ${role} requires one of certain authenticators.`,
  };
}

interface Unmet {
  label: string;
  obstacle: FoundObstacle;
}

/** Names the passkeys, what each lacks, and what the user must do. */
function describeUnmet(unmet: readonly Unmet[], total: number, role: Role): string {
  const passkeys = total === 1 ? 'The passkey' : `${unmet.length} of the ${total} passkeys`;
  const [them, these] = unmet.length === 1 ? ['it', 'this one'] : ['them', 'these'];
  const next =
    unmet.length === total ? `add another passkey, and then remove ${these}` : `remove ${them} first`;
  return `${passkeys} of this user cannot be used with the role ${role}: ${listOf(unmet)}. The user must ${next}.`;
}

const mostListed = 5;

/** The labels of the passkeys, each with what it lacks. */
function listOf(unmet: readonly Unmet[]): string {
  const listed = unmet
    .slice(0, mostListed)
    .map(({ label, obstacle }) => `“${label}” (${inFewWords(obstacle)})`);
  const others = unmet.length - listed.length;
  return [...listed, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

const inFewWords = ({ reason, message }: FoundObstacle): string =>
  reason === 'refused_by_application' && message ? message : shortDescriptions[reason];

const isEmpty = (requirements: object): boolean => Object.keys(requirements).length === 0;
