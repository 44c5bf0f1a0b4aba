import type { User } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { isAtLeast } from '../roles.ts';

/** Where everybody goes. */
export const MainNav = () => (
  <nav class="header__nav" aria-label="Main">
    <NavLink href="/">Account</NavLink>
    <NavLink href="/files">Files</NavLink>
    <NavLink href="/organizations">Organizations</NavLink>
    <NavLink href="/settings/security">Security</NavLink>
  </nav>
);

/** Where people go who administer; a row of its own, so that nothing has to be hidden on a narrow screen. */
export const AdminNav = ({ user }: { user: User }) =>
  isAtLeast(user.role, 'admin') && (
    <div class="subheader">
      <nav class="subheader__inner" aria-label="Administration">
        <NavLink href="/admin/users">Users</NavLink>
        <NavLink href="/admin/activity">Activity</NavLink>
        {user.role === 'superadmin' && <NavLink href="/admin/invitations">Invitations</NavLink>}
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
