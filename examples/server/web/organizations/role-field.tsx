import type { OrganizationRole } from 'latchkey/client';
import { SelectField } from '../components/select-field.tsx';
import { organizationRoleNames } from '../roles.ts';

interface RoleFieldProps {
  role: OrganizationRole;
  onRole: (role: OrganizationRole) => void;
}

const hints: Record<OrganizationRole, string> = {
  user: 'Can see the members and read the files.',
  admin: 'Can also invite and remove members, and rename or delete the organization.',
};

const options = Object.entries(organizationRoleNames);

/** The role that a new member gets. */
export const RoleField = ({ role, onRole }: RoleFieldProps) => (
  <SelectField
    label="Role"
    value={role}
    onValue={(value) => onRole(value as OrganizationRole)}
    options={options}
    message={hints[role]}
  />
);
