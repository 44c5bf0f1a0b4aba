import type { ServiceOverview } from 'latchkey/client';
import type { ComponentChildren, ComponentProps } from 'preact';
import { T, t } from '../messages/t.tsx';
import { Change, Figure, isComparable } from './figure.tsx';
import { enabledIn, shareOf } from './shares.ts';

const Quiet = (children: ComponentChildren) => <span class="change__period">{children}</span>;

/** The four figures of the overview, with the change since the previous period. */
export function Figures({ overview }: { overview: ServiceOverview }) {
  const { period, signIns, activeUsers, users } = overview;
  const enabled = enabledIn(users);
  const compared = (change: ComponentProps<typeof Change>) =>
    isComparable(change) ? (
      <T id="overview.comparison" values={{ change: <Change {...change} />, period, quiet: Quiet }} />
    ) : (
      <Change {...change} />
    );
  return (
    <dl class="figures" aria-label={t('overview.figures')}>
      <Figure name={t('overview.signIns')} value={t('overview.number', { count: signIns.signIns })}>
        {compared({ now: signIns.signIns, before: signIns.previous.signIns, unit: 'percent' })}
      </Figure>
      <Figure name={t('overview.refusals')} value={t('overview.number', { count: signIns.refusals })}>
        {compared({
          now: signIns.refusals,
          before: signIns.previous.refusals,
          unit: 'percent',
          isBadIfUp: true,
        })}
      </Figure>
      <Figure
        name={t('overview.activeUsers')}
        value={t('overview.number', { count: activeUsers.count })}
        of={t('overview.ofUsers', { total: users.total })}
      >
        {compared({ now: activeUsers.count, before: activeUsers.previous, unit: 'count' })}
      </Figure>
      <Figure
        name={t('overview.adoption')}
        value={t('overview.share', { share: shareOf(users.withPasskey, enabled) })}
      >
        <span class="change__period">
          {enabled === 0
            ? t('overview.noUsers')
            : t('overview.adoptionDetail', {
                two: shareOf(users.withTwoPasskeys, enabled),
                codes: shareOf(users.withRecoveryCodes, enabled),
              })}
        </span>
      </Figure>
    </dl>
  );
}
