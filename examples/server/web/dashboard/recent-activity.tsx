import type { Account, Organization } from 'latchkey/client';
import { auth } from '../auth.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { T, t } from '../messages/t.tsx';
import { CardSection } from '../ui/card.tsx';
import { hidden } from '../ui/hidden.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useResource } from '../use-resource.ts';
import { EventLine } from './event-line.tsx';

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
    <CardSection
      title={t('home.activityTitle')}
      action={
        <a class="card__link" href="/settings/activity">
          <T id="home.viewAllActivity" values={{ hidden }} />
        </a>
      }
    >
      {resource.status === 'loading' && <Skeleton rows={3} label={t('home.activityLoading')} />}
      {resource.status === 'failed' && (
        <div class="card__body">
          <LoadFailed error={resource.error} retry={reload} />
        </div>
      )}
      {resource.status === 'ready' && resource.value.events.length === 0 && (
        <p class="card__body card__note">{t('home.activityEmpty')}</p>
      )}
      {resource.status === 'ready' && resource.value.events.length > 0 && (
        <ul>
          {resource.value.events.map((event) => (
            <EventLine
              key={event.id}
              event={event}
              context={{
                organizationName: (wanted) => organizations.find(({ id }) => id === wanted)?.name,
                reader: user,
              }}
            />
          ))}
        </ul>
      )}
    </CardSection>
  );
}
