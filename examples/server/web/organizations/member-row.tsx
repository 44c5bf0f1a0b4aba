import type { Member } from 'latchkey/client';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { PersonIcon } from '../components/icons.tsx';
import { Time } from '../components/time.tsx';
import { organizationRoleNames } from '../roles.ts';
import type { MemberChange } from './member-change-dialog.tsx';

interface MemberRowProps {
  member: Member;
  isMe: boolean;
  isNew: boolean;
  mayManage: boolean;
  onAsk: (change: MemberChange) => void;
}

export function MemberRow({ member, isMe, isNew, mayManage, onAsk }: MemberRowProps) {
  const { user, role, joinedAt } = member;
  const name = <span class="visually-hidden"> {user.username}</span>;
  return (
    <li class={`row${isNew ? ' row--new' : ''}`}>
      <span class="row__icon">
        <PersonIcon />
      </span>
      <div class="row__text">
        <h3 class="row__title">
          {user.username}
          {isMe && <Badge>You</Badge>}
          {role === 'admin' && <Badge tone="quiet">{organizationRoleNames.admin}</Badge>}
        </h3>
        <p class="row__meta row__facts">
          {user.displayName && <bdi>{user.displayName}</bdi>}
          <span>
            Member since <Time at={joinedAt} />
          </span>
        </p>
      </div>
      {(mayManage || isMe) && (
        <div class="row__actions">
          {mayManage && (
            <Button variant="quiet" onClick={() => onAsk(role === 'admin' ? 'demote' : 'promote')}>
              Change role<span class="visually-hidden"> of {user.username}</span>
            </Button>
          )}
          <Button variant="danger-quiet" onClick={() => onAsk(isMe ? 'leave' : 'remove')}>
            {isMe ? 'Leave' : 'Remove'}
            {!isMe && name}
          </Button>
        </div>
      )}
    </li>
  );
}
