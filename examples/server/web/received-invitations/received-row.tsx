import type { OrganizationInvitation } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { formatExact } from '../dates.ts';
import { T, t } from '../messages/t.tsx';
import { daysUntil } from '../organizations/invitation-words.ts';
import { organizationRoleName } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';

interface ReceivedRowProps {
  invitation: OrganizationInvitation;
  isAccepting: boolean;
  onAccept: () => void;
  onDecline: () => void;
}

/** Text for screen readers only. */
const hiddenText = (children: ComponentChildren) => <span class="visually-hidden">{children}</span>;

export function ReceivedRow({ invitation, isAccepting, onAccept, onDecline }: ReceivedRowProps) {
  const { organization, role, createdBy, expiresAt } = invitation;
  const values = { organization: organization.name, hidden: hiddenText };
  const days = daysUntil(expiresAt);
  return (
    <li class="row">
      <Avatar name={organization.name} shape="organization" size="large" />
      <div class="row__text">
        <h3 class="row__title">
          <bdi>{organization.name}</bdi>
          <Badge tone={role === 'admin' ? 'accent' : 'quiet'}>{organizationRoleName(role)}</Badge>
        </h3>
        <p class="row__meta row__facts">
          <span>
            {createdBy ? (
              <T id="organizations.from" values={{ username: <bdi>{createdBy.username}</bdi> }} />
            ) : (
              t('organizations.fromOperator')
            )}
          </span>
          <span class={days <= 1 ? 'row__soon' : undefined}>
            <time dateTime={expiresAt} title={formatExact(expiresAt)}>
              {t('organizations.expiresIn', { days })}
            </time>
          </span>
        </p>
      </div>
      <div class="row__actions row__actions--prominent row__actions--two">
        <Button variant="primary" busy={isAccepting} onClick={onAccept}>
          <T id="organizations.accept" values={values} />
        </Button>
        <Button onClick={onDecline}>
          <T id="organizations.decline" values={values} />
        </Button>
      </div>
    </li>
  );
}
