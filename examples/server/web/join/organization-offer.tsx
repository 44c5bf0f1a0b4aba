import type { OrganizationRole } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { formatExact } from '../dates.ts';
import { roleRights } from '../organizations/role-rights.ts';
import { organizationRoleNames } from '../roles.ts';

/** What an organization invitation shows before the user accepts. */
export interface JoinPreview {
  organization: { name: string };
  role: OrganizationRole;
  createdBy: { username: string } | null;
  expiresAt: string;
}

export function OrganizationOffer({ invitation }: { invitation: JoinPreview }) {
  const { organization, role, createdBy, expiresAt } = invitation;
  const roleName = organizationRoleNames[role].toLowerCase();
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
        as {role === 'admin' ? 'an' : 'a'} <strong>{roleName}</strong>.
      </p>
      <div class="panel">
        <p>
          As {role === 'admin' ? 'an' : 'a'} {roleName}, you can:
        </p>
        <ul class="bullets">
          {roleRights[role].map((right) => (
            <li key={right}>{right}</li>
          ))}
        </ul>
        <p>{consequences[role]}</p>
        <p class="hint">
          This invitation can be accepted once, until{' '}
          <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>.
        </p>
      </div>
    </>
  );
}

/** What other users can see and do after the user accepts. */
const consequences: Record<OrganizationRole, string> = {
  user: 'The other members see your username. Admins of the organization can see what you change in it, with your IP address and browser. Admins who manage all of your organizations can also create a recovery link for your account and end your sessions.',
  admin:
    'The other members see your username. Admins of the organization can see what you change in it, with your IP address and browser.',
};
