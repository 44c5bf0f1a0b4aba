import { useAccount } from '../account.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { t } from '../messages/t.tsx';

export function NotFoundPage() {
  const { state } = useAccount();
  const heading = <PageHeading title={t('common.notFoundTitle')} />;
  // For a signed-in user, the shell already provides the main element.
  if (state.status === 'signed-in') {
    // Does not use EmptyState, because visitors load this script on the sign-in page and would load its drawing, too.
    return (
      <div class="section">
        {heading}
        <div class="empty-state">
          <p class="empty-state__body">{t('common.notFoundLead')}</p>
          <a class="button button--secondary empty-state__action" href="/">
            {t('common.goToStart')}
          </a>
        </div>
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
