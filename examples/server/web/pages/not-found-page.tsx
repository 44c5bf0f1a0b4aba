import { useAccount } from '../account.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { t } from '../messages/t.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export function NotFoundPage() {
  const { state } = useAccount();
  const heading = <PageHeading title={t('common.notFoundTitle')} />;
  // For a signed-in user, the shell already provides the main element.
  if (state.status === 'signed-in') {
    const toStart = (
      <a class="button button--secondary" href="/">
        {t('common.goToStart')}
      </a>
    );
    return (
      <div class="section">
        {heading}
        <EmptyState action={toStart}>{t('common.notFoundLead')}</EmptyState>
      </div>
    );
  }
  return (
    <Entrance>
      {heading}
      <p class="entrance__lead">{t('common.notFoundLead')}</p>
      <p>
        <a href="/">{t('common.goToStart')}</a>
      </p>
    </Entrance>
  );
}
