import type { User } from 'latchkey/client';
import { Building2, ChartColumn, Folder, House, Mail, ScrollText, ShieldCheck, Users } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { has, mayOpenInvitations } from '../capabilities.ts';
import { Icon } from '../icons/icon.tsx';
import { countOf, useReceived } from '../received-invitations/received.tsx';
import { hasOrganizations } from '../site-settings.ts';

/** Links to the pages that the user can open. */
export const Navigation = ({ user }: { user: User | null }) => (
  <div class="rail__navigation">
    <nav class="rail__nav" aria-label="Main">
      <NavLink href="/" icon={House}>
        Home
      </NavLink>
      <NavLink href="/settings/security" icon={ShieldCheck}>
        Security
      </NavLink>
      {hasOrganizations && (
        <NavLink href="/organizations" icon={Building2}>
          Organizations
          <ReceivedCount />
        </NavLink>
      )}
      <NavLink href="/files" icon={Folder}>
        Files
      </NavLink>
    </nav>
    {user && <Administration user={user} />}
  </div>
);

/** The number of pending invitations. Renders nothing if there are none. */
function ReceivedCount() {
  const count = countOf(useReceived());
  if (count === null) return null;
  return (
    <span class="nav-link__count">
      {count}
      <span class="visually-hidden">{count === '1' ? ' invitation' : ' invitations'}</span>
    </span>
  );
}

/** Links to the pages for admins. Renders nothing for other users. */
function Administration({ user: { role } }: { user: User }) {
  const overview = has(role, 'overview:read');
  const users = has(role, 'user:read');
  const activity = has(role, 'audit:read');
  const invitations = mayOpenInvitations(role);
  if (!overview && !users && !activity && !invitations) return null;
  return (
    <nav class="rail__nav" aria-labelledby="administration">
      <h2 class="rail__heading" id="administration">
        Administration
      </h2>
      {overview && (
        <NavLink href="/admin/overview" icon={ChartColumn}>
          Overview
        </NavLink>
      )}
      {users && (
        <NavLink href="/admin/users" icon={Users}>
          Users
        </NavLink>
      )}
      {invitations && (
        <NavLink href="/admin/invitations" icon={Mail}>
          Invitations
        </NavLink>
      )}
      {activity && (
        <NavLink href="/admin/activity" icon={ScrollText}>
          Activity
        </NavLink>
      )}
    </nav>
  );
}

interface NavLinkProps {
  href: string;
  icon: string;
  children: ComponentChildren;
}

function NavLink({ href, icon, children }: NavLinkProps) {
  const { path } = useLocation();
  const isHere = path === href;
  const isBelow = href !== '/' && path.startsWith(`${href}/`);
  return (
    <a class="nav-link" href={href} aria-current={isHere ? 'page' : isBelow || undefined}>
      <Icon of={icon} />
      {children}
    </a>
  );
}
