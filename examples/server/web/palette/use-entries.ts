import type { Account, Organization, User } from 'latchkey/client';
import { UserRound } from 'lucide-static';
import { useEffect, useState } from 'preact/hooks';
import {
  administrationDestinations,
  type Destination,
  ownActivity,
  ownDestinations,
} from '../destinations.ts';
import { t } from '../messages/t.tsx';
import { firstOrganizations } from '../organizations/first-organizations.ts';
import { roleNames } from '../roles.ts';
import { useSettled } from '../use-settled.ts';
import type { Entry } from './entry.ts';
import { matching } from './matching.ts';
import { useActions } from './use-actions.ts';
import { type People, usePeople } from './use-people.ts';

const mostOrganizations = 6;

/** The entries that match what the user typed, in the order of the list. */
export function useEntries(
  user: Account,
  typed: string,
  onHelp: () => void,
): { entries: Entry[]; people: People['status'] } {
  const search = useSettled(typed);
  const isSearched = search === typed;
  const people = usePeople(user, search);
  const users = people.users.map(personEntry);
  const organizations = useOrganizations();
  const actions = useActions(user, onHelp);
  const isEmpty = typed.trim() === '';
  return {
    entries: [
      ...matching([...pagesOf(user), ...actions], typed),
      // Enter must not open a user who matches only the text that was typed before.
      ...(isSearched ? users : matching(users, typed)),
      // Without a text, the list contains only pages and actions.
      ...(isEmpty ? [] : matching(organizations.map(organizationEntry), typed).slice(0, mostOrganizations)),
    ].sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group)),
    people: isSearched || people.status === 'idle' ? people.status : 'loading',
  };
}

const groups: readonly Entry['group'][] = ['pages', 'users', 'organizations', 'actions'];

const pagesOf = ({ role }: Account): Entry[] => [
  ...ownDestinations().map(pageEntry),
  pageEntry({ href: '/settings/profile', icon: UserRound, name: () => t('layout.profile') }),
  pageEntry(ownActivity),
  ...administrationDestinations(role).map((page) => ({
    ...pageEntry(page),
    detail: t('layout.administration'),
  })),
];

const pageEntry = ({ href, icon, name }: Destination): Entry => ({
  id: `page${href}`,
  group: 'pages',
  icon,
  name: name(),
  href,
});

const personEntry = ({ id, username, displayName, role, status }: User): Entry => ({
  id: `user-${id}`,
  group: 'users',
  name: displayName ?? username,
  seed: username,
  detail:
    status === 'disabled'
      ? t('palette.disabledUser', { username })
      : t('palette.personDetail', { username, role: roleNames[role] }),
  href: `/admin/users/${encodeURIComponent(id)}`,
});

const organizationEntry = ({ id, name, slug }: Organization): Entry => ({
  id: `organization-${id}`,
  group: 'organizations',
  name,
  seed: slug,
  detail: slug,
  href: `/organizations/${encodeURIComponent(id)}`,
});

/** The first organizations of the user. Empty until they have loaded, or if they cannot be loaded. */
function useOrganizations(): Organization[] {
  const [organizations, setOrganizations] = useState<Organization[]>([]);
  useEffect(() => {
    let isGone = false;
    firstOrganizations().then(
      (found) => isGone || setOrganizations(found),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  return organizations;
}
