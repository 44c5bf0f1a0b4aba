import type { User } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { has, mayOpenInvitations } from '../capabilities.ts';
import { countOf, useReceived } from '../received-invitations/received.tsx';
import { hasOrganizations } from '../site-settings.ts';

/** Links to the pages that every user can open. */
export const MainNav = () => (
  <nav class="header__nav" aria-label="Main">
    <NavLink href="/">Account</NavLink>
    <NavLink href="/files">Files</NavLink>
    {hasOrganizations && (
      <NavLink href="/organizations">
        Organizations
        <ReceivedCount />
      </NavLink>
    )}
    <NavLink href="/settings/security">Security</NavLink>
  </nav>
);

/** The number of pending invitations. Renders nothing if there are none. */
function ReceivedCount() {
  const count = countOf(useReceived());
  if (count === null) return null;
  return (
    <span class="badge nav-link__count">
      {count}
      <span class="visually-hidden">{count === '1' ? ' invitation' : ' invitations'}</span>
    </span>
  );
}

/** Links to the pages for admins. They have a separate row, so that all links fit on a narrow screen. */
export function AdminNav({ user: { role } }: { user: User }) {
  const users = has(role, 'user:read');
  const activity = has(role, 'audit:read');
  const invitations = mayOpenInvitations(role);
  if (!users && !activity && !invitations) return null;
  return (
    <div class="subheader">
      <nav class="subheader__inner" aria-label="Administration">
        {users && <NavLink href="/admin/users">Users</NavLink>}
        {activity && <NavLink href="/admin/activity">Activity</NavLink>}
        {invitations && <NavLink href="/admin/invitations">Invitations</NavLink>}
      </nav>
    </div>
  );
}

function NavLink({ href, children }: { href: string; children: ComponentChildren }) {
  const { path } = useLocation();
  const isHere = path === href;
  const isBelow = href !== '/' && path.startsWith(`${href}/`);
  return (
    <a class="nav-link" href={href} aria-current={isHere ? 'page' : isBelow || undefined}>
      {children}
    </a>
  );
}
