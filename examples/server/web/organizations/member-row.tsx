import type { Member } from 'latchkey/client';
import { LogOut, Trash2, UserRoundCog } from 'lucide-static';
import { T, t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { ownRoles } from '../site-settings.ts';
import { Badge } from '../ui/badge.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { Person } from '../ui/person.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { AskedChange } from './member-dialogs.tsx';
import type { OrganizationRights } from './role-rights.ts';

interface MemberRowProps {
  member: Member;
  isMe: boolean;
  rights: OrganizationRights;
  onAsk: (change: AskedChange['change']) => void;
}

export const memberColumns = (): readonly Column[] => [
  { name: t('organizations.columnName') },
  { name: t('organizations.role') },
  { name: t('organizations.columnJoined') },
  { name: t('organizations.columnActions'), isHidden: true },
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
      label: t('organizations.menuChangeRole'),
      consequence: t('organizations.roleNow', { role: organizationRoleName(role) }),
      run: () => onAsk(ownRoles.size > 0 ? 'change_role' : oneStep),
    });
  }
  if (isMe && rights.leave) {
    items.push({
      icon: LogOut,
      label: t('organizations.menuLeave'),
      consequence: t('organizations.menuLeaveHint'),
      destructive: true,
      run: () => onAsk('leave'),
    });
  }
  if (!isMe && rights.remove && isWithin) {
    items.push({
      icon: Trash2,
      label: t('organizations.menuRemove'),
      consequence: t('organizations.menuRemoveHint'),
      destructive: true,
      run: () => onAsk('remove'),
    });
  }
  return (
    <tr>
      <th scope="row">
        <Person username={user.username} displayName={user.displayName}>
          {isMe && <Badge tone="quiet">{t('organizations.you')}</Badge>}
        </Person>
      </th>
      <td>{role === 'user' ? organizationRoleName(role) : <Badge>{organizationRoleName(role)}</Badge>}</td>
      <td>
        <span class="member__joined">
          <T id="organizations.joined" values={{ time: <Time at={joinedAt} /> }} />
        </span>
        <span class="member__joined-day">
          <Time at={joinedAt} />
        </span>
      </td>
      <td class="table__menu">
        {items.length > 0 && (
          <Menu label={t('organizations.actionsFor', { username: user.username })} items={items} />
        )}
      </td>
    </tr>
  );
}
