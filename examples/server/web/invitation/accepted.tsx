import type { Role } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { t } from '../messages/t.tsx';

/** Shown after a user accepted an invitation, or signed up with it. */
export const Accepted = ({ role }: { role: Role }) =>
  role === 'user' ? (
    <>
      <PageHeading title={t('invitation.ready')} />
      <p class="entrance__lead">{t('invitation.signedIn')}</p>
      <div class="form form--close">
        <a class="button button--primary button--wide" href="/">
          {t('invitation.toAccount')}
        </a>
      </div>
    </>
  ) : (
    <>
      <PageHeading title={t('invitation.nowAdmin')} />
      <p class="entrance__lead">{t('invitation.nowAdminLead')}</p>
      <div class="form form--close">
        <a class="button button--primary button--wide" href="/organizations">
          {t('invitation.toOrganizations')}
        </a>
        <a class="button button--secondary button--wide" href="/">
          {t('invitation.toAccount')}
        </a>
      </div>
    </>
  );
