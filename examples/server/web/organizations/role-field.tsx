import type { OrganizationRole } from 'latchkey/client';
import { useId } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { roleHint } from './role-rights.ts';

interface RoleFieldProps {
  /** The roles to choose from. */
  roles: readonly OrganizationRole[];
  role: OrganizationRole;
  onRole: (role: OrganizationRole) => void;
}

/** The role that a member gets, as cards that say what each role allows. */
export function RoleField({ roles, role, onRole }: RoleFieldProps) {
  const name = useId();
  return (
    <fieldset class="role-cards">
      <legend class="field__label">{t('organizations.role')}</legend>
      {roles.map((each) => (
        <label class="role-card" key={each}>
          <input
            type="radio"
            name={name}
            class="radio__dot"
            checked={role === each}
            onChange={() => onRole(each)}
          />
          <span>
            <span class="radio__name">{organizationRoleName(each)}</span>
            <span class="radio__hint">{roleHint(each)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
