import type { OrganizationRole } from 'latchkey/client';
import { SelectField } from '../components/select-field.tsx';
import { organizationRoleNames } from '../roles.ts';

interface RoleFieldProps {
  role: OrganizationRole;
  onRole: (role: OrganizationRole) => void;
}

const hints: Record<OrganizationRole, string> = {
  user: 'Sees the members and the files.',
  admin: 'Also invites and removes members, renames the organization, and can delete it.',
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
