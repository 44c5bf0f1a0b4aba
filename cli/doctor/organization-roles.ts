import type { UnconfiguredRole } from 'latchkey';
import { printable } from '../words/printable.ts';
import type { Check } from './check.ts';

/** Reports organization roles of members that the configuration no longer contains. */
export const examineOrganizationRoles = (unconfigured: readonly UnconfiguredRole[]): Check[] =>
  unconfigured.map(({ role, members }) => ({
    name: 'Organization roles',
    level: 'warning',
    message: `${members === 1 ? '1 member has' : `${members} members have`} the role ${printable(role)}, which the option organizationRoles does not contain`,
    why: 'The role gives these members only the rights of the role user.',
    fix: `Add ${printable(role)} to organizationRoles, or give these members another role`,
  }));
