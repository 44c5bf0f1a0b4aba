import type { Account } from 'latchkey/client';
import { Plus } from 'lucide-static';
import { useLocation } from 'preact-iso/router';
import { has, invitationRoles } from '../capabilities.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { AttentionCard } from '../overview/attention-card.tsx';
import { Figures } from '../overview/figures.tsx';
import { LatestActivity } from '../overview/latest-activity.tsx';
import { MethodsCard } from '../overview/methods-card.tsx';
import { overviewUrl, periodFrom, periodOptions } from '../overview/period.ts';
import { ProtectionCard } from '../overview/protection-card.tsx';
import { SignInChart } from '../overview/sign-in-chart.tsx';
import { useOverview } from '../overview/use-overview.ts';
import { Notice } from '../ui/notice.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export const OverviewPage = () => (
  <RequireRole allows={(role) => has(role, 'overview:read')}>
    {(user) => <Overview user={user} />}
  </RequireRole>
);

function Overview({ user }: { user: Account }) {
  const { query, route } = useLocation();
  const period = periodFrom(query.period);
  const { resource, isStale, reload } = useOverview(period);
  return (
    <>
      <PageHead
        title={t('overview.title')}
        lead={t('overview.lead')}
        action={
          <div class="head-actions">
            <SegmentedControl
              label={t('overview.period')}
              value={period}
              onValue={(chosen) => route(overviewUrl(chosen), true)}
              options={periodOptions()}
            />
            {invitationRoles(user).includes('admin') && (
              <a class="button button--primary" href="/admin/invitations?new=admin">
                <Icon of={Plus} />
                {t('overview.inviteAdmin')}
              </a>
            )}
          </div>
        }
      />
      {resource.status === 'loading' && <Skeleton rows={5} label={t('overview.loading')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {resource.status === 'ready' && (
        <div class="overview" aria-busy={isStale}>
          {!resource.value.isComplete && (
            <Notice tone="info" title={t('overview.incompleteTitle')}>
              {t('overview.incompleteBody')}
            </Notice>
          )}
          <div class="card overview__main">
            <Figures overview={resource.value} />
            <SignInChart overview={resource.value} />
          </div>
          <div class="overview__pair">
            <AttentionCard overview={resource.value} user={user} />
            <div class="overview__column">
              <ProtectionCard users={resource.value.users} canRead={has(user.role, 'user:read')} />
              <MethodsCard overview={resource.value} />
            </div>
          </div>
          {has(user.role, 'audit:read') && <LatestActivity />}
        </div>
      )}
    </>
  );
}
