import type { Invitation, OrganizationInvitation } from 'latchkey/client';
import { Mail } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { inviteeOf, statusNames, statusTones } from './invitation-status.ts';

type AnyInvitation = Invitation | OrganizationInvitation;

interface InvitationRowProps {
  invitation: AnyInvitation;
  /** The level of the heading on the page. */
  heading?: 'h2' | 'h3';
  isNew?: boolean;
  onRevoke: () => void;
  /** More badges, after the status. */
  children?: ComponentChildren;
}

export function InvitationRow(props: InvitationRowProps) {
  const { invitation, heading: Heading = 'h2', isNew = false, onRevoke, children } = props;
  const { id, status } = invitation;
  return (
    <li class={`row${isNew ? ' row--new' : ''}`}>
      <span class="row__icon">
        <Icon of={Mail} />
      </span>
      <div class="row__text">
        <Heading class="row__title" id={`invitation-${id}`} tabIndex={-1}>
          For {inviteeOf(invitation)}
          <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
          {children}
        </Heading>
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

function Facts({ invitation }: { invitation: AnyInvitation }) {
  const { status, createdBy, createdAt, expiresAt, acceptedBy, acceptedAt } = invitation;
  return (
    <p class="row__meta row__facts">
      <span>
        Created <Time at={createdAt} /> by {createdBy ? createdBy.username : 'an operator'}
      </span>
      {status === 'pending' && (
        <span>
          Expires <Time at={expiresAt} />
        </span>
      )}
      {status === 'expired' && (
        <span>
          Expired <Time at={expiresAt} />
        </span>
      )}
      {acceptedAt && (
        <span>
          Accepted <Time at={acceptedAt} /> by {acceptedBy?.username ?? 'a deleted user'}
        </span>
      )}
    </p>
  );
}
