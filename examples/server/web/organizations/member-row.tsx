import type { Member } from 'latchkey/client';
import { LogOut, Trash2, UserRoundCog } from 'lucide-static';
import { organizationRoleName } from '../roles.ts';
import { ownRoles } from '../site-settings.ts';
import { Badge } from '../ui/badge.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { Person } from '../ui/person.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { MemberChange } from './member-change-dialog.tsx';
import type { OrganizationRights } from './role-rights.ts';

interface MemberRowProps {
  member: Member;
  isMe: boolean;
  rights: OrganizationRights;
  onAsk: (change: MemberChange | 'change_role') => void;
}

export const memberColumns: readonly Column[] = [
  { name: 'Name' },
  { name: 'Role' },
  { name: 'Member since' },
  { name: 'Actions', isHidden: true },
];

export function MemberRow({ member, isMe, rights, onAsk }: MemberRowProps) {
  const { user, role, joinedAt } = member;
  // A role that is not configured has no rights, so it counts as the role `user`.
  const isWithin = rights.roles.includes(role) || (role !== 'admin' && !ownRoles.has(role));
  const oneStep = role === 'admin' ? 'demote' : 'promote';
  const items: MenuItem[] = [];
  if (rights.promote && isWithin) {
    items.push({
      icon: UserRoundCog,
      label: 'Change role…',
      consequence: `${organizationRoleName(role)} now`,
      run: () => onAsk(ownRoles.size > 0 ? 'change_role' : oneStep),
    });
  }
  if (isMe && rights.leave) {
    items.push({
      icon: LogOut,
      label: 'Leave…',
      consequence: 'You lose access',
      destructive: true,
      run: () => onAsk('leave'),
    });
  }
  if (!isMe && rights.remove && isWithin) {
    items.push({
      icon: Trash2,
      label: 'Remove…',
      consequence: 'Keeps the account',
      destructive: true,
      run: () => onAsk('remove'),
    });
  }
  return (
    <tr>
      <th scope="row">
        <Person username={user.username} displayName={user.displayName}>
          {isMe && <Badge tone="quiet">You</Badge>}
        </Person>
      </th>
      <td data-phone={role === 'user' ? 'hidden' : undefined}>
        {role === 'user' ? organizationRoleName(role) : <Badge>{organizationRoleName(role)}</Badge>}
      </td>
      <td>
        <Time at={joinedAt} />
      </td>
      <td class="table__menu">
        {items.length > 0 && <Menu label={`Actions for ${user.username}`} items={items} />}
      </td>
    </tr>
  );
}
