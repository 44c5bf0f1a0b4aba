import type { InvitationPreview } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';

/** What an invitation shows before the user accepts. Avoids terms that a visitor does not know. */
export function Offer({ invitation }: { invitation: InvitationPreview }) {
  const { role, createdBy, username, expiresAt } = invitation;
  const isForAdmin = role === 'admin';
  return (
    <>
      <PageHeading title="You’re invited" />
      <p class="entrance__lead">
        {createdBy ? <strong>{createdBy.username}</strong> : 'An operator of this service'} invites{' '}
        {username ? <strong>{username}</strong> : 'you'}{' '}
        {isForAdmin ? (
          <>
            to be an <strong>admin</strong>.
          </>
        ) : (
          'to create an account.'
        )}
      </p>
      <div class="panel">
        {isForAdmin && <AdminRights />}
        <p class="hint">
          {username ? (
            <>
              Only <strong>{username}</strong> can accept this invitation, until{' '}
            </>
          ) : (
            'This invitation can be accepted once, until '
          )}
          <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>.
        </p>
      </div>
    </>
  );
}

const AdminRights = () => (
  <>
    <p>As an admin, you can:</p>
    <ul class="bullets">
      <li>create organizations and manage their members</li>
      <li>create recovery links for members and end their sessions</li>
      <li>see the activity in these organizations</li>
    </ul>
  </>
);
