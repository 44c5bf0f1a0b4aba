import type { User } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { administrationDestinations, type Destination, ownDestinations } from '../destinations.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { countOf, useReceived } from '../received-invitations/received.tsx';

/** Links to the pages that the user can open. */
export const Navigation = ({ user }: { user: User }) => (
  <div class="rail__navigation">
    <nav class="rail__nav" aria-label={t('layout.mainNavigation')}>
      {ownDestinations().map((destination) => (
        <NavLink {...destination} key={destination.href}>
          {destination.href === '/organizations' && <ReceivedCount />}
        </NavLink>
      ))}
    </nav>
    <Administration user={user} />
  </div>
);

/** The number of pending invitations. Renders nothing if there are none. */
function ReceivedCount() {
  const received = useReceived();
  const count = countOf(received);
  if (count === null || received?.resource.status !== 'ready') return null;
  return (
    <>
      <span class="nav-link__count" aria-hidden="true">
        {count}
      </span>
      <span class="visually-hidden">
        {t('layout.invitationCount', { count: received.resource.value.items.length })}
      </span>
    </>
  );
}

/** Links to the pages for administrators. Renders nothing for other users. */
function Administration({ user: { role } }: { user: User }) {
  const destinations = administrationDestinations(role);
  if (destinations.length === 0) return null;
  return (
    <nav class="rail__nav" aria-labelledby="administration">
      <h2 class="rail__heading" id="administration">
        {t('layout.administration')}
      </h2>
      {destinations.map((destination) => (
        <NavLink {...destination} key={destination.href} />
      ))}
    </nav>
  );
}

function NavLink({ href, icon, name, children }: Destination & { children?: ComponentChildren }) {
  const { path } = useLocation();
  const isHere = path === href;
  const isBelow = href !== '/' && path.startsWith(`${href}/`);
  return (
    <a class="nav-link" href={href} aria-current={isHere ? 'page' : isBelow || undefined}>
      <Icon of={icon} />
      {name()} {children}
    </a>
  );
}
