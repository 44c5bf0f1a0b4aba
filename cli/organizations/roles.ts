import type { AuthService } from 'latchkey';
import { UsageError } from '../usage-error.ts';

/** The roles that members of organizations can have. */
export const rolesOf = ({ organizationRoles }: Pick<AuthService, 'organizationRoles'>): string[] => [
  'user',
  'admin',
  ...Object.keys(organizationRoles),
];

/** @throws UsageError for a role that is not configured */
export function requireRole(auth: Pick<AuthService, 'organizationRoles'>, role: string | undefined): void {
  const roles = rolesOf(auth);
  if (role !== undefined && !roles.includes(role))
    throw new UsageError(`Unknown role ${JSON.stringify(role)}. Expected one of ${roles.join(', ')}.`);
}
