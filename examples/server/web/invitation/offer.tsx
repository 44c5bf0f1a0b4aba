import type { InvitationPreview } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';
import { T, t } from '../messages/t.tsx';

/** What an invitation shows before the user accepts. Avoids terms that a visitor does not know. */
export function Offer({ invitation }: { invitation: InvitationPreview }) {
  const { role, createdBy, username, expiresAt } = invitation;
  const isForAdmin = role === 'admin';
  const time = <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>;
  const name = <strong dir="auto">{username}</strong>;
  return (
    <>
      <PageHeading title={t('invitation.title')} />
      <p class="entrance__lead">
        <T
          id="invitation.offer"
          values={{
            by: createdBy ? 'user' : 'operator',
            creator: <strong dir="auto">{createdBy?.username}</strong>,
            for: username === null ? 'anyone' : 'user',
            username: name,
            role: isForAdmin ? 'admin' : 'user',
            strong: (children) => <strong>{children}</strong>,
          }}
        />
      </p>
      <div class="panel">
        {isForAdmin && <AdminRights />}
        <p class="hint">
          {username === null ? (
            <T id="invitation.acceptedOnce" values={{ time }} />
          ) : (
            <T id="invitation.onlyUser" values={{ username: name, time }} />
          )}
        </p>
      </div>
    </>
  );
}

const AdminRights = () => (
  <>
    <p>{t('invitation.adminRights')}</p>
    <ul class="bullets">
      <li>{t('invitation.adminCreates')}</li>
      <li>{t('invitation.adminHelps')}</li>
      <li>{t('invitation.adminSees')}</li>
    </ul>
  </>
);
