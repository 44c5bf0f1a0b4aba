import type { User } from 'latchkey/client';
import { ChevronRight } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { PageHeading } from '../components/page-heading.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { roleNames } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { lastUsersUrl } from '../users/page-cursors.ts';
import { RoleLabel, Status } from '../users/user-row.tsx';

interface PersonHeadProps {
  user: User;
  isMe: boolean;
  /** The menu of the actions. */
  actions: ComponentChildren;
}

export function PersonHead({ user, isMe, actions }: PersonHeadProps) {
  const { username, displayName, role, status } = user;
  const name = displayName ?? username;
  return (
    <header class="person-head">
      <Breadcrumb>
        <bdi>{name}</bdi>
      </Breadcrumb>
      <div class="person-head__main">
        <Avatar name={name} seed={username} size="huge" />
        <div class="person-head__text">
          <PageHeading title={name}>
            <bdi>{name}</bdi>
          </PageHeading>
          <p class="person-head__facts">
            {displayName !== null && <bdi>{username}</bdi>}
            {role === 'user' ? <Badge tone="quiet">{roleNames[role]}</Badge> : <RoleLabel role={role} />}
            {isMe && <Badge tone="quiet">{t('users.you')}</Badge>}
            <Status status={status} />
          </p>
        </div>
        {actions && <div class="person-head__actions">{actions}</div>}
      </div>
    </header>
  );
}

/** A link back to the list of users, with its search, filters and page. */
export const Breadcrumb = ({ children }: { children: ComponentChildren }) => (
  <nav class="breadcrumb" aria-label={t('person.breadcrumb')}>
    <a href={lastUsersUrl()}>{t('users.title')}</a>
    <Icon of={ChevronRight} inline />
    <span aria-current="page">{children}</span>
  </nav>
);
