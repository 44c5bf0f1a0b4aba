import type { OrganizationRole } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';
import { T, t } from '../messages/t.tsx';
import { consequencesOf } from '../organizations/right-phrases.ts';
import { roleRights } from '../organizations/role-rights.ts';
import { organizationRoleName } from '../roles.ts';
import { capabilityScopes } from '../site-settings.ts';
import { Avatar } from '../ui/avatar.tsx';

/** What an organization invitation shows before the user accepts. */
export interface JoinPreview {
  organization: { name: string };
  role: OrganizationRole;
  createdBy: { username: string } | null;
  expiresAt: string;
}

export function OrganizationOffer({ invitation }: { invitation: JoinPreview }) {
  const { organization, role, createdBy, expiresAt } = invitation;
  const name = <bdi>{organization.name}</bdi>;
  const roleName = organizationRoleName(role);
  return (
    <>
      <Avatar name={organization.name} shape="organization" size="huge" />
      <PageHeading title={t('invitation.join', { organization: organization.name })}>
        <T id="invitation.join" values={{ organization: name }} />
      </PageHeading>
      <p class="entrance__lead">
        <T
          id="invitation.joinOffer"
          values={{
            by: createdBy ? 'user' : 'operator',
            creator: <strong dir="auto">{createdBy?.username}</strong>,
            organization: <strong>{name}</strong>,
            role,
            roleName,
            strong: (children) => <strong>{children}</strong>,
          }}
        />
      </p>
      <div class="panel">
        <p>{t('invitation.roleRights', { role, roleName })}</p>
        <ul class="bullets">
          {roleRights(role).map((right) => (
            <li key={right}>{right}</li>
          ))}
        </ul>
        <p>
          {consequencesOf(capabilityScopes, role)
            .map((consequence) => t(consequence))
            .join(' ')}
        </p>
        <p class="hint">
          <T
            id="invitation.acceptedOnce"
            values={{ time: <time dateTime={expiresAt}>{formatExact(expiresAt)}</time> }}
          />
        </p>
      </div>
    </>
  );
}
