import type { InvitationPreview } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';

/** What the invitation offers, without terms that a visitor does not know. */
export function Offer({ invitation }: { invitation: InvitationPreview }) {
  const { createdBy, username, expiresAt } = invitation;
  return (
    <>
      <PageHeading title="You’re invited" />
      <p class="entrance__lead">
        {createdBy ? <strong>{createdBy.username}</strong> : 'An operator of this service'} invites{' '}
        {username ? <strong>{username}</strong> : 'you'} to be an <strong>administrator</strong>.
      </p>
      <div class="panel">
        <p>As an administrator you can</p>
        <ul class="bullets">
          <li>create organizations and manage their members,</li>
          <li>help members recover their accounts, and sign them out,</li>
          <li>see the activity in these organizations.</li>
        </ul>
        <p class="hint">
          {username ? <strong>{username}</strong> : 'One user'} can accept it until{' '}
          <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>.
        </p>
      </div>
    </>
  );
}
