import type { ComponentChildren } from 'preact';
import { Avatar } from './avatar.tsx';

interface PersonProps {
  username: string;
  displayName: string | null;
  /** The page of the user. The link covers the whole row of a list. */
  href?: string;
  /** Badges after the name. */
  children?: ComponentChildren;
}

/**
 * A user in a list: avatar, name and username. The name is isolated, so that a right-to-left name does not reorder the
 * text around it.
 */
export const Person = ({ username, displayName, href, children }: PersonProps) => (
  <div class="person">
    <Avatar name={displayName ?? username} seed={username} />
    <div>
      <div class="person__name">
        {href ? (
          <a class="row__link" href={href}>
            <bdi>{displayName ?? username}</bdi>
          </a>
        ) : (
          <bdi>{displayName ?? username}</bdi>
        )}
        {children}
      </div>
      {displayName && <div class="person__username">{username}</div>}
    </div>
  </div>
);
