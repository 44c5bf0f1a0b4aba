import type { ListedUser, User } from 'latchkey/client';
import { Crown, TriangleAlert } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { roleNames } from '../roles.ts';
import { Badge, StatusDot } from '../ui/badge.tsx';
import { Person } from '../ui/person.tsx';
import { cellClass } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { UserAction } from './user-actions.ts';
import { UserMenu } from './user-menu.tsx';
import { usersPath } from './users-query.ts';

interface UserRowProps {
  user: ListedUser;
  me: User;
  /** Whether the list has columns for sign-ins and passkeys. */
  seesSignIns: boolean;
  onChoose: (action: UserAction) => void;
}

/** One row of the list. The whole row is a link to the page of the user. */
export function UserRow({ user, me, seesSignIns, onChoose }: UserRowProps) {
  const { username, displayName, role, status, createdAt } = user;
  return (
    <tr class="row-of-link">
      <th scope="row">
        <Person username={username} displayName={displayName} href={`${usersPath}/${user.id}`}>
          {user.id === me.id && <Badge tone="quiet">{t('users.you')}</Badge>}
          {status === 'disabled' && (
            <span class="table__instead">
              <Badge tone="quiet">{t('users.status', { status })}</Badge>
            </span>
          )}
        </Person>
      </th>
      <td data-phone={role === 'user' ? 'hidden' : undefined}>
        <RoleLabel role={role} />
      </td>
      <td class={cellClass('medium')} data-phone={status === 'active' ? 'hidden' : undefined}>
        <Status status={status} />
      </td>
      {seesSignIns && <Details user={user} />}
      <td class={seesSignIns ? cellClass('wide') : undefined} data-phone={seesSignIns ? 'hidden' : undefined}>
        <Time at={createdAt} />
      </td>
      <td class="table__menu">
        <UserMenu user={user} me={me} onChoose={onChoose} />
      </td>
    </tr>
  );
}

function Details({ user: { passkeyCount = 0, lastSignIn, organizationCount = 0 } }: { user: ListedUser }) {
  return (
    <>
      <td>
        {passkeyCount > 0 ? (
          <>
            <span class="table__plain">{t('users.count', { count: passkeyCount })}</span>
            <span class="table__phrase">{t('users.passkeys', { count: passkeyCount })}</span>
          </>
        ) : (
          <span class="table__warning">
            <Icon of={TriangleAlert} inline />
            <span class="table__plain">{t('users.none')}</span>
            <span class="table__phrase">{t('users.noPasskey')}</span>
          </span>
        )}
      </td>
      <td>
        {lastSignIn ? (
          <Time at={lastSignIn.at} relative />
        ) : (
          <>
            <span class="table__plain">{t('users.never')}</span>
            <span class="table__phrase">{t('users.neverSignedIn')}</span>
          </>
        )}
      </td>
      <td class={cellClass('wide')} data-phone="hidden">
        {t('users.count', { count: organizationCount })}
      </td>
    </>
  );
}

export const Status = ({ status }: Pick<User, 'status'>) => (
  <StatusDot state={status === 'disabled' ? 'off' : 'on'}>{t('users.status', { status })}</StatusDot>
);

/** The name of the role. The roles of administrators are badges. */
export function RoleLabel({ role }: Pick<User, 'role'>) {
  const name = roleNames[role];
  if (role === 'user') return name;
  return (
    <Badge>
      {role === 'superadmin' && <Icon of={Crown} inline />}
      {name}
    </Badge>
  );
}
