import type { OrganizationRole } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';
import { consequencesOf } from '../organizations/right-phrases.ts';
import { roleRights } from '../organizations/role-rights.ts';
import { aOrganizationRole } from '../roles.ts';
import { capabilityScopes } from '../site-settings.ts';

/** What an organization invitation shows before the user accepts. */
export interface JoinPreview {
  organization: { name: string };
  role: OrganizationRole;
  createdBy: { username: string } | null;
  expiresAt: string;
}

export function OrganizationOffer({ invitation }: { invitation: JoinPreview }) {
  const { organization, role, createdBy, expiresAt } = invitation;
  const aRole = aOrganizationRole(role);
  return (
    <>
      <PageHeading title={`Join ${organization.name}`}>
        Join <bdi>{organization.name}</bdi>
      </PageHeading>
      <p class="entrance__lead">
        {createdBy ? <strong>{createdBy.username}</strong> : 'An operator of this service'} invites you to
        join{' '}
        <strong>
          <bdi>{organization.name}</bdi>
        </strong>{' '}
        as <strong>{aRole}</strong>.
      </p>
      <div class="panel">
        <p>As {aRole}, you can:</p>
        <ul class="bullets">
          {roleRights(role).map((right) => (
            <li key={right}>{right}</li>
          ))}
        </ul>
        <p>{consequencesOf(capabilityScopes, role).join(' ')}</p>
        <p class="hint">
          This invitation can be accepted once, until{' '}
          <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>.
        </p>
      </div>
    </>
  );
}
