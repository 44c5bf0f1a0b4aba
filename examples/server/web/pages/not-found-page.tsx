import { useAccount } from '../account.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { t } from '../messages/t.tsx';

export function NotFoundPage() {
  const { state } = useAccount();
  const words = (
    <>
      <PageHeading title={t('common.notFoundTitle')} />
      <p class="entrance__lead">{t('common.notFoundLead')}</p>
      <p>
        <a href="/">{t('common.goToStart')}</a>
      </p>
    </>
  );
  // For a signed-in user, the shell already provides the main element.
  return state.status === 'signed-in' ? words : <Entrance>{words}</Entrance>;
}
