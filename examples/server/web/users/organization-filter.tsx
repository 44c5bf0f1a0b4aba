import type { Organization } from 'latchkey/client';
import { Building2 } from 'lucide-static';
import { useCallback } from 'preact/hooks';
import { FilterMenu } from '../activity/filter-menu.tsx';
import { auth } from '../auth.ts';
import { firstOrganizations } from '../organizations/first-organizations.ts';
import { hasOrganizations } from '../site-settings.ts';
import { useResource } from '../use-resource.ts';

interface OrganizationFilterProps {
  /** The id of the organization. Null: the filter is off. */
  value: string | null;
  /** Whether the signed-in user can see the members of all organizations. Otherwise, only of those that they manage. */
  seesAll: boolean;
  onValue: (value: string | null) => void;
}

/** Shows only the members of one organization. Renders nothing if there is no organization to choose. */
export function OrganizationFilter({ value, seesAll, onValue }: OrganizationFilterProps) {
  const organizations = useOrganizations(value, seesAll);
  if (organizations.length === 0 && value === null) return null;
  return (
    <FilterMenu
      id="filter-organization"
      name="activity.filterOrganization"
      value={value ?? ''}
      onValue={(chosen) => onValue(chosen === '' ? null : chosen)}
      options={organizations.map(({ id, name }) => ({ value: id, name, icon: Building2 }))}
    />
  );
}

const none: Organization[] = [];

/** The organizations to choose from, and the chosen one. Empty if loading fails, because the list works without them. */
function useOrganizations(chosenId: string | null, seesAll: boolean): Organization[] {
  const loadFirst = useCallback(
    async () => (await firstOrganizations()).filter(({ myRole }) => seesAll || myRole === 'admin'),
    [seesAll],
  );
  const first = useResource(loadFirst).resource;
  const offered = first.status === 'ready' ? first.value : none;
  const isOther = first.status !== 'loading' && !offered.some(({ id }) => id === chosenId);
  const otherId = hasOrganizations && isOther ? chosenId : null;
  const loadOther = useCallback(
    async () => (otherId === null ? null : auth.organizations.get(otherId).catch(() => null)),
    [otherId],
  );
  const other = useResource(loadOther).resource;
  return other.status === 'ready' && other.value ? [...offered, other.value] : offered;
}
