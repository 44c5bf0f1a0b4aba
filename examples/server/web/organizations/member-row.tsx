import type { Member } from 'latchkey/client';
import { UserRound } from 'lucide-static';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Time } from '../components/time.tsx';
import { Icon } from '../icons/icon.tsx';
import { organizationRoleName } from '../roles.ts';
import { ownRoles } from '../site-settings.ts';
import type { MemberChange } from './member-change-dialog.tsx';
import type { OrganizationRights } from './role-rights.ts';

interface MemberRowProps {
  member: Member;
  isMe: boolean;
  isNew: boolean;
  rights: OrganizationRights;
  onAsk: (change: MemberChange | 'change_role') => void;
}

export function MemberRow({ member, isMe, isNew, rights, onAsk }: MemberRowProps) {
  const { user, role, joinedAt } = member;
  // A role that is not configured has no rights, so it counts as the role `user`.
  const isWithin = rights.roles.includes(role) || (role !== 'admin' && !ownRoles.has(role));
  const mayPromote = rights.promote && isWithin;
  const mayRemove = isMe ? rights.leave : rights.remove && isWithin;
  const oneStep = role === 'admin' ? 'demote' : 'promote';
  const name = <span class="visually-hidden"> {user.username}</span>;
  return (
    <li class={`row${isNew ? ' row--new' : ''}`}>
      <span class="row__icon">
        <Icon of={UserRound} />
      </span>
      <div class="row__text">
        <h3 class="row__title">
          {user.username}
          {isMe && <Badge>You</Badge>}
          {role !== 'user' && <Badge tone="quiet">{organizationRoleName(role)}</Badge>}
        </h3>
        <p class="row__meta row__facts">
          {user.displayName && <bdi>{user.displayName}</bdi>}
          <span>
            Member since <Time at={joinedAt} />
          </span>
        </p>
      </div>
      {(mayPromote || mayRemove) && (
        <div class="row__actions">
          {mayPromote && (
            <Button variant="quiet" onClick={() => onAsk(ownRoles.size > 0 ? 'change_role' : oneStep)}>
              Change role<span class="visually-hidden"> of {user.username}</span>
            </Button>
          )}
          {mayRemove && (
            <Button variant="danger-quiet" onClick={() => onAsk(isMe ? 'leave' : 'remove')}>
              {isMe ? 'Leave' : 'Remove'}
              {!isMe && name}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
