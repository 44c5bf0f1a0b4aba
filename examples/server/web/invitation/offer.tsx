import type { InvitationPreview } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';

/** What an admin invitation shows before the user accepts. Avoids terms that a visitor does not know. */
export function Offer({ invitation }: { invitation: InvitationPreview }) {
  const { createdBy, username, expiresAt } = invitation;
  return (
    <>
      <PageHeading title="You’re invited" />
      <p class="entrance__lead">
        {createdBy ? <strong>{createdBy.username}</strong> : 'An operator of this service'} invites{' '}
        {username ? <strong>{username}</strong> : 'you'} to be an <strong>admin</strong>.
      </p>
      <div class="panel">
        <p>As an admin, you can:</p>
        <ul class="bullets">
          <li>create organizations and manage their members</li>
          <li>create recovery links for members and end their sessions</li>
          <li>see the activity in these organizations</li>
        </ul>
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
