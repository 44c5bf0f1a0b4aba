import type { User } from 'latchkey/client';
import { UserRound } from 'lucide-static';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Time } from '../components/time.tsx';
import { Icon } from '../icons/icon.tsx';
import { roleNames } from '../roles.ts';
import { capabilityScopes, impersonation } from '../site-settings.ts';
import { actionsFor } from './user-actions.ts';

interface UserRowProps {
  user: User;
  me: User;
  /** The result of the last action on the user. */
  message: string | null;
  onManage: () => void;
}

export function UserRow({ user, me, message, onManage }: UserRowProps) {
  const { username, displayName, role, status, createdAt } = user;
  return (
    <li class="row">
      <span class="row__icon">
        <Icon of={UserRound} />
      </span>
      <div class="row__text">
        <h2 class="row__title">
          {username}
          {user.id === me.id && <Badge>You</Badge>}
          {role !== 'user' && <Badge tone="quiet">{roleNames[role]}</Badge>}
          {status === 'disabled' && <Badge tone="warning">Disabled</Badge>}
        </h2>
        <p class="row__meta row__facts">
          {displayName && <bdi>{displayName}</bdi>}
          <span>
            Created <Time at={createdAt} />
          </span>
        </p>
        {message && <p class="row__said">{message}</p>}
      </div>
      {actionsFor(me, user, { capabilityScopes, impersonation }).length > 0 && (
        <div class="row__actions">
          <Button variant="quiet" onClick={onManage}>
            Manage<span class="visually-hidden"> {username}</span>
          </Button>
        </div>
      )}
    </li>
  );
}
