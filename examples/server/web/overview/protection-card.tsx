import type { ServiceOverview } from 'latchkey/client';
import { T, t } from '../messages/t.tsx';
import { CardSection } from '../ui/card.tsx';
import { Time } from '../ui/time.tsx';
import { ShareBar } from './share-bar.tsx';
import { enabledIn, protectionOf, shareOf } from './shares.ts';

/** What protects the enabled accounts. */
export function ProtectionCard({ users, canRead }: { users: ServiceOverview['users']; canRead: boolean }) {
  const { twoPasskeys, onePasskey, onlyPassword, notSetUp } = protectionOf(users);
  const enabled = enabledIn(users);
  return (
    <CardSection
      title={t('overview.protection')}
      action={<span class="card__note">{t('overview.enabledCount', { count: enabled })}</span>}
    >
      <div class="card__body">
        <ShareBar
          label={t('overview.protection')}
          parts={[
            { name: t('overview.twoPasskeys'), count: twoPasskeys, tone: 'green' },
            { name: t('overview.onePasskey'), count: onePasskey, tone: 'pale' },
            { name: t('overview.onlyPassword'), count: onlyPassword, tone: 'brass' },
            { name: t('overview.notSetUp'), count: notSetUp, tone: 'gray' },
          ]}
        />
        <p class="card__note">
          {t('overview.withCodes', {
            count: users.withRecoveryCodes,
            share: shareOf(users.withRecoveryCodes, enabled),
          })}{' '}
          <T id="overview.asOf" values={{ when: <Time at={users.asOf} relative /> }} />
        </p>
        {canRead && onlyPassword + notSetUp > 0 && (
          <p>
            <a class="card__link" href="/admin/users?passkey=no">
              {t('overview.viewWithoutPasskey')}
            </a>
          </p>
        )}
      </div>
    </CardSection>
  );
}
