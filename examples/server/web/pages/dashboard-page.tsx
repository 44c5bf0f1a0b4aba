import type { Account, Session } from 'latchkey/client';
import { useLocation } from 'preact-iso/router';
import { has } from '../capabilities.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { Checklist } from '../dashboard/checklist.tsx';
import { LostDeviceCard } from '../dashboard/lost-device-card.tsx';
import { OrganizationsCard } from '../dashboard/organizations-card.tsx';
import { ProfileCard } from '../dashboard/profile-card.tsx';
import { RecentActivity } from '../dashboard/recent-activity.tsx';
import { T, t } from '../messages/t.tsx';
import { firstOrganizations } from '../organizations/first-organizations.ts';
import { HomeFigures } from '../overview/home-figures.tsx';
import { ReceivedSection } from '../received-invitations/received-section.tsx';
import { hasOrganizations } from '../site-settings.ts';
import { Notice } from '../ui/notice.tsx';
import { useResource } from '../use-resource.ts';

export function DashboardPage() {
  return <RequireAccount>{(user, session) => <Dashboard user={user} session={session} />}</RequireAccount>;
}

/**
 * Whether to load the figures. If a user with a passkey signed in with another method, the request would open the
 * passkey prompt without an action of the user.
 */
const seesFigures = (user: Account, session: Session): boolean =>
  has(user.role, 'overview:read') &&
  session.impersonator === null &&
  (session.method === 'passkey' || user.passkeyCount === 0);

const ownOrganizations = async () => (await firstOrganizations()).filter(({ myRole }) => myRole !== null);

function Dashboard({ user, session }: { user: Account; session: Session }) {
  const { query } = useLocation();
  const { resource, reload } = useResource(ownOrganizations);
  return (
    <>
      <PageHeading title={t('home.title')}>
        <T id="home.greeting" values={{ name: <bdi>{user.displayName ?? user.username}</bdi> }} />
      </PageHeading>
      {'recovered' in query && <AfterRecovery user={user} />}
      <ReceivedSection hidesEmpty onAccepted={() => void reload()} />
      <div class="with-side">
        <div class="with-side__main">
          <Checklist user={user} canAct={session.impersonator === null} />
          {seesFigures(user, session) && <HomeFigures />}
          <RecentActivity user={user} organizations={resource.status === 'ready' ? resource.value : []} />
        </div>
        <div class="with-side__side">
          <ProfileCard user={user} session={session} />
          {hasOrganizations && <OrganizationsCard user={user} organizations={resource} reload={reload} />}
          <LostDeviceCard />
        </div>
      </div>
    </>
  );
}

/** Shown after a recovery. Says what the recovery changed, and links to the page where the user can review it. */
const AfterRecovery = ({ user }: { user: Account }) => (
  <Notice
    tone="info"
    title={t('home.recoveredTitle')}
    action={
      <a class="button button--secondary" href="/settings/security">
        {t('home.reviewMethods')}
      </a>
    }
  >
    {t(user.hasPassword ? 'home.recoveredBodyPassword' : 'home.recoveredBody')}
  </Notice>
);
