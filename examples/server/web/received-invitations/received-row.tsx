import type { OrganizationInvitation } from 'latchkey/client';
import { Mail } from 'lucide-static';
import { formatExact, formatMoment } from '../dates.ts';
import { Icon } from '../icons/icon.tsx';
import { organizationRoleName } from '../roles.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';

interface ReceivedRowProps {
  invitation: OrganizationInvitation;
  isAccepting: boolean;
  onAccept: () => void;
  onDecline: () => void;
}

export function ReceivedRow({ invitation, isAccepting, onAccept, onDecline }: ReceivedRowProps) {
  const { organization, role, createdBy, expiresAt } = invitation;
  const where = <span class="visually-hidden"> the invitation to {organization.name}</span>;
  return (
    <li class="row">
      <span class="row__icon">
        <Icon of={Mail} />
      </span>
      <div class="row__text">
        <h3 class="row__title">
          <bdi>{organization.name}</bdi>
          <Badge tone={role === 'admin' ? 'accent' : 'quiet'}>{organizationRoleName(role)}</Badge>
        </h3>
        <p class="row__meta row__facts">
          <span>From {createdBy ? createdBy.username : 'an operator of this service'}</span>
          <span>
            Expires{' '}
            <time dateTime={expiresAt} title={formatExact(expiresAt)}>
              {formatMoment(expiresAt)}
            </time>
          </span>
        </p>
      </div>
      <div class="row__actions row__actions--prominent row__actions--two">
        <Button variant="primary" busy={isAccepting} onClick={onAccept}>
          Accept{where}
        </Button>
        <Button onClick={onDecline}>Decline{where}</Button>
      </div>
    </li>
  );
}
