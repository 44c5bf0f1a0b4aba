import { isAtLeast, type User } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { countOf, useReceived } from '../received-invitations/received.tsx';
import { hasAdminInvitations, hasOrganizations, signUpMode } from '../site-settings.ts';

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
export const AdminNav = ({ user }: { user: User }) =>
  isAtLeast(user.role, 'admin') && (
    <div class="subheader">
      <nav class="subheader__inner" aria-label="Administration">
        <NavLink href="/admin/users">Users</NavLink>
        <NavLink href="/admin/activity">Activity</NavLink>
        {((user.role === 'superadmin' && hasAdminInvitations) || signUpMode !== 'closed') && (
          <NavLink href="/admin/invitations">Invitations</NavLink>
        )}
      </nav>
    </div>
  );

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
