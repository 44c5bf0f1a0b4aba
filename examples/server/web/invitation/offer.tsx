import type { InvitationPreview } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';

/** What is offered, in words that need no knowledge of roles. */
export function Offer({ invitation }: { invitation: InvitationPreview }) {
  const { createdBy, username, expiresAt } = invitation;
  return (
    <>
      <PageHeading title="You’re invited" />
      <p class="entrance__lead">
        {createdBy ? <strong>{createdBy.username}</strong> : 'Whoever runs this site'} asks{' '}
        {username ? <strong>{username}</strong> : 'you'} to be an <strong>administrator</strong>.
      </p>
      <div class="panel">
        <p>As an administrator you can</p>
        <ul class="bullets">
          <li>create organizations and say who belongs to them,</li>
          <li>help their members back into their accounts, and sign them out,</li>
          <li>see what happens there.</li>
        </ul>
        <p class="hint">
          Until <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>, for one person
          {username && (
            <>
              : <strong>{username}</strong>
            </>
          )}
          .
        </p>
      </div>
    </>
  );
}
