import type { ServiceOverview } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { CardSection } from '../ui/card.tsx';
import { ShareBar } from './share-bar.tsx';

type Method = ServiceOverview['signIns']['methods'][number]['method'];

const tones = { passkey: 'green', password: 'brass', recovery_code: 'pale', recovery_link: 'gray' } as const;

const nameOf = (method: Method): string =>
  ({
    passkey: t('overview.passkey'),
    password: t('overview.password'),
    recovery_code: t('overview.recoveryCode'),
    recovery_link: t('overview.recoveryLink'),
  })[method];

/** The sign-ins of the period by method, and the new accounts. */
export function MethodsCard({ overview: { signIns, users } }: { overview: ServiceOverview }) {
  return (
    <CardSection title={t('overview.methods')}>
      <div class="card__body">
        <ShareBar
          label={t('overview.methods')}
          parts={signIns.methods.map(({ method, signIns: count }) => ({
            name: nameOf(method),
            count,
            tone: tones[method],
          }))}
        />
        <p class="card__note">
          {signIns.signIns === 0 && `${t('overview.methodsEmpty')} `}
          {t('overview.newAccounts', { count: users.created.count })}
        </p>
      </div>
    </CardSection>
  );
}
