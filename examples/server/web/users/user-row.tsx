import type { User } from 'latchkey/client';
import { Crown } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { roleNames } from '../roles.ts';
import { Badge, StatusDot } from '../ui/badge.tsx';
import { Person } from '../ui/person.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { UserAction } from './user-actions.ts';
import { UserMenu } from './user-menu.tsx';

interface UserRowProps {
  user: User;
  me: User;
  onChoose: (action: UserAction) => void;
}

export const userColumns: readonly Column[] = [
  { name: 'Name' },
  { name: 'Role' },
  { name: 'Status' },
  { name: 'Created' },
  { name: 'Actions', isHidden: true },
];

export function UserRow({ user, me, onChoose }: UserRowProps) {
  const { username, displayName, role, status, createdAt } = user;
  const isDisabled = status === 'disabled';
  return (
    <tr>
      <th scope="row">
        <Person username={username} displayName={displayName}>
          {user.id === me.id && <Badge tone="quiet">You</Badge>}
        </Person>
      </th>
      <td data-phone={role === 'user' ? 'hidden' : undefined}>
        {role === 'user' ? roleNames.user : <RoleBadge role={role} />}
      </td>
      <td data-phone={isDisabled ? undefined : 'hidden'}>
        <StatusDot state={isDisabled ? 'off' : 'on'}>{isDisabled ? 'Disabled' : 'Active'}</StatusDot>
      </td>
      <td>
        <Time at={createdAt} />
      </td>
      <td class="table__menu">
        <UserMenu user={user} me={me} onChoose={onChoose} />
      </td>
    </tr>
  );
}

const RoleBadge = ({ role }: { role: 'admin' | 'superadmin' }) => (
  <Badge>
    {role === 'superadmin' && <Icon of={Crown} inline />}
    {roleNames[role]}
  </Badge>
);
