import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { Impersonate } from '../impersonation/impersonate.tsx';
import { useLinkToken } from '../link-token.ts';
import { t } from '../messages/t.tsx';

/** The page that an operator's impersonation link opens. */
export function ImpersonatePage() {
  const { token, forget } = useLinkToken('/impersonate');
  return (
    <Entrance>
      {token ? <Impersonate token={token} onForget={forget} key={token} /> : <OpenLinkAgain />}
    </Entrance>
  );
}

/** Shown if the page has no token, for instance after a reload. */
const OpenLinkAgain = () => (
  <>
    <PageHeading title={t('invitation.impersonationAgain')} />
    <p class="entrance__lead">{t('invitation.impersonationAgainLead')}</p>
    <p>
      <a href="/">{t('invitation.toAccount')}</a>
    </p>
  </>
);
