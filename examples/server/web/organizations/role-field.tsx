import type { OrganizationRole } from 'latchkey/client';
import { organizationRoleName } from '../roles.ts';
import { SelectField } from '../ui/select-field.tsx';
import { roleHint } from './role-rights.ts';

interface RoleFieldProps {
  /** The roles to choose from. */
  roles: readonly OrganizationRole[];
  role: OrganizationRole;
  onRole: (role: OrganizationRole) => void;
}

/** The role that a member gets. */
export const RoleField = ({ roles, role, onRole }: RoleFieldProps) => (
  <SelectField
    label="Role"
    value={role}
    onValue={onRole}
    options={roles.map((each) => [each, organizationRoleName(each)] as const)}
    message={roleHint(role)}
  />
);
