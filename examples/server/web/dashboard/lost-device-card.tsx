import { t } from '../messages/t.tsx';
import { Card } from '../ui/card.tsx';

/** Says what to do after the loss of a device. */
export const LostDeviceCard = () => (
  <Card>
    <h2 class="lost-device__title">{t('home.lostTitle')}</h2>
    <p class="card__note">{t('home.lostBody')}</p>
    <p>
      <a class="card__link" href="/settings/security">
        {t('home.lostLink')}
      </a>
    </p>
  </Card>
);
