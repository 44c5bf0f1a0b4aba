import type { Invitation } from 'latchkey/client';
import type { ComponentProps } from 'preact';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { EnvelopeIcon } from '../components/icons.tsx';
import { Time } from '../components/time.tsx';

const statusNames: Record<Invitation['status'], string> = {
  pending: 'Open',
  accepted: 'Accepted',
  revoked: 'Revoked',
  expired: 'Expired',
};

const tones: Record<Invitation['status'], ComponentProps<typeof Badge>['tone']> = {
  pending: 'accent',
  accepted: 'quiet',
  revoked: 'warning',
  expired: 'warning',
};

/** "ada", or whoever has the link. */
export const inviteeOf = ({ username }: Invitation): string => username ?? 'whoever has the link';

export function InvitationRow({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const { id, status } = invitation;
  return (
    <li class="row">
      <span class="row__icon">
        <EnvelopeIcon />
      </span>
      <div class="row__text">
        <h2 class="row__title" id={`invitation-${id}`} tabIndex={-1}>
          For {inviteeOf(invitation)}
          <Badge tone={tones[status]}>{statusNames[status]}</Badge>
        </h2>
        <Facts invitation={invitation} />
      </div>
      {status === 'pending' && (
        <div class="row__actions">
          <Button variant="danger-quiet" onClick={onRevoke}>
            Revoke<span class="visually-hidden"> the invitation for {inviteeOf(invitation)}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

function Facts({ invitation }: { invitation: Invitation }) {
  const { status, createdBy, createdAt, expiresAt, acceptedBy, acceptedAt } = invitation;
  return (
    <p class="row__meta row__facts">
      <span>
        Made <Time at={createdAt} /> {createdBy ? `by ${createdBy.username}` : 'by an operator'}
      </span>
      {status === 'pending' && (
        <span>
          Open until <Time at={expiresAt} />
        </span>
      )}
      {status === 'expired' && (
        <span>
          Expired <Time at={expiresAt} />
        </span>
      )}
      {acceptedAt && (
        <span>
          Accepted <Time at={acceptedAt} /> by {acceptedBy?.username ?? 'somebody who is gone'}
        </span>
      )}
    </p>
  );
}
