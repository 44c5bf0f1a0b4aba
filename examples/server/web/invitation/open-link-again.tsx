import { PageHeading } from '../components/page-heading.tsx';
import { t } from '../messages/t.tsx';

/** Shown if the page of an invitation has no token, for instance after a reload. */
export const OpenLinkAgain = () => (
  <>
    <PageHeading title={t('invitation.openAgain')} />
    <p class="entrance__lead">{t('invitation.openAgainLead')}</p>
    <p>
      <a href="/">{t('invitation.toAccount')}</a>
    </p>
  </>
);
