import { useCallback } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { CardSection } from '../ui/card.tsx';
import { useResource } from '../use-resource.ts';
import { Change, Figure } from './figure.tsx';
import { overviewUrl } from './period.ts';
import { enabledIn, shareOf } from './shares.ts';

const period = '7d';

/** Three figures for administrators, with links to the overview. Renders nothing if they cannot be loaded. */
export function HomeFigures() {
  const { resource } = useResource(useCallback(() => auth.overview.get({ period }), []));
  if (resource.status === 'failed') return null;
  const overview = resource.status === 'ready' ? resource.value : null;
  const href = overviewUrl(period);
  const shown = (value: string) => (overview ? value : '…');
  return (
    <CardSection
      title={t('overview.homeTitle')}
      action={
        <a class="card__link" href={href}>
          {t('overview.homeOpen')}
        </a>
      }
    >
      <dl class="figures figures--three" aria-busy={overview === null}>
        <Figure
          href={href}
          name={t('overview.signIns')}
          value={shown(t('overview.number', { count: overview?.signIns.signIns ?? 0 }))}
        >
          {overview && (
            <Change
              now={overview.signIns.signIns}
              before={overview.signIns.previous.signIns}
              unit="percent"
            />
          )}
        </Figure>
        <Figure
          href={href}
          name={t('overview.chartRefused')}
          value={shown(t('overview.number', { count: overview?.signIns.refusals ?? 0 }))}
        >
          {overview && (
            <Change
              now={overview.signIns.refusals}
              before={overview.signIns.previous.refusals}
              unit="percent"
              isBadIfUp
            />
          )}
        </Figure>
        <Figure
          href={href}
          name={t('overview.adoption')}
          value={shown(
            t('overview.share', {
              share: overview ? shareOf(overview.users.withPasskey, enabledIn(overview.users)) : 0,
            }),
          )}
        >
          {overview && t('overview.userCount', { count: overview.users.total })}
        </Figure>
      </dl>
    </CardSection>
  );
}
