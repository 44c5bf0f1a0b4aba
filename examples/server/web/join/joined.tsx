import type { Organization } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { T, t } from '../messages/t.tsx';

/** The organization that the user joined. */
export type JoinedTo = Pick<Organization, 'id' | 'name'>;

export const Joined = ({ organization }: { organization: JoinedTo }) => (
  <>
    <PageHeading title={t('invitation.nowMember', { organization: organization.name })}>
      <T id="invitation.nowMember" values={{ organization: <bdi>{organization.name}</bdi> }} />
    </PageHeading>
    <p class="entrance__lead">{t('invitation.leaveAnytime')}</p>
    <div class="form form--close">
      <a class="button button--primary button--wide" href={`/organizations/${organization.id}`}>
        {t('invitation.openOrganization')}
      </a>
      <a class="button button--secondary button--wide" href="/">
        {t('invitation.toAccount')}
      </a>
    </div>
  </>
);
