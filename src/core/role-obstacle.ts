import type { Role } from './user.ts';

/** Why the passkeys of a user do not allow a role. */
export interface FoundRoleObstacle {
  /** The reason for the audit log and the response. */
  reason: string;
  /** What is missing. Safe to show to the user who changes the role. */
  message: string;
}

/**
 * Compares the passkeys of a user with the requirements of a role. Read the version of the account first: the statement
 * that changes the role must require that the version is unchanged, because each change of the passkeys increments it.
 */
export type RoleObstacle = (userId: string, role: Role) => Promise<FoundRoleObstacle | null>;
