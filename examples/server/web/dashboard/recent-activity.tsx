import type { Account, Organization } from 'latchkey/client';
import { EventsCard } from '../activity/events-card.tsx';
import { auth } from '../auth.ts';
import { T, t } from '../messages/t.tsx';
import { hidden } from '../ui/hidden.tsx';
import { useResource } from '../use-resource.ts';

const shown = 5;

/** The events to show. Omits events that only read data, for example when an admin views the list of users. */
const prefixes = [
  'account.',
  'passkey.login',
  'passkey.add',
  'passkey.rename',
  'passkey.remove',
  'passkey.clone_suspected',
  'password.',
  'recovery_code.',
  'recovery_link.',
  'recovery.',
  'session.',
  'impersonation.',
  'invitation.accept',
  'organization_invitation.accept',
  'member.',
  'user.change_role',
  'user.disable',
  'user.enable',
  'user.end_sessions',
  'user.end_session',
  'user.rename',
  'user.update',
];

const load = () => auth.audit.listOwn({ event: prefixes, limit: shown });

interface RecentActivityProps {
  user: Account;
  /** The organizations of the user, for their names. */
  organizations: readonly Organization[];
}

/** The latest events of the user's own account. */
export function RecentActivity({ user, organizations }: RecentActivityProps) {
  const { resource, reload } = useResource(load);
  return (
    <EventsCard
      title={t('home.activityTitle')}
      viewAll={
        <a class="card__link" href="/settings/activity">
          <T id="home.viewAllActivity" values={{ hidden }} />
        </a>
      }
      loadingLabel={t('home.activityLoading')}
      empty={t('home.activityEmpty')}
      resource={resource}
      reload={reload}
      organizations={organizations}
      reader={user}
    />
  );
}
