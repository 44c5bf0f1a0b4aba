import type { UserOrganization } from 'latchkey/client';
import { Check, Search } from 'lucide-static';
import { useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';

/** Up to this number of organizations, the list is short enough without a search. */
const most = 7;

/** All organizations that the user belongs to, also for superadmins, who see more organizations elsewhere. */
export async function loadOwnOrganizations(): Promise<UserOrganization[]> {
  const session = await auth.session({ include: ['organizations'] });
  return session?.organizations ?? [];
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

const matches = (search: string) => {
  const wanted = folded(search.trim());
  return ({ name, slug }: UserOrganization) => folded(name).includes(wanted) || slug.includes(wanted);
};

interface OwnOrganizationsProps {
  organizations: readonly UserOrganization[];
  currentId: string;
  onChosen: () => void;
}

export function OwnOrganizations({ organizations, currentId, onChosen }: OwnOrganizationsProps) {
  const [typed, setTyped] = useState('');
  const shown = organizations.filter(matches(typed));
  return (
    <>
      {organizations.length > most && (
        <search class="search switcher__search">
          <Icon of={Search} inline />
          <input
            type="search"
            class="input"
            aria-label={t('organizations.find')}
            placeholder={t('organizations.find')}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </search>
      )}
      <ul class="switcher__list">
        {shown.map(({ id, name, role }) => (
          <li key={id}>
            <a
              class="menu__item switcher__item"
              href={`/organizations/${id}`}
              aria-current={id === currentId ? 'page' : undefined}
              onClick={onChosen}
            >
              <Avatar name={name} shape="organization" />
              <span class="menu__label">
                <bdi>{name}</bdi>
              </span>
              <span class="menu__consequence">{organizationRoleName(role)}</span>
              {id === currentId && <Icon of={Check} />}
            </a>
          </li>
        ))}
      </ul>
      <p class="switcher__none" role="status">
        {shown.length === 0 &&
          (typed === '' ? t('organizations.noneOfYours') : t('organizations.noneMatch', { query: typed }))}
      </p>
    </>
  );
}
