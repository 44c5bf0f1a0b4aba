import type { Account, Organization as OrganizationFacts } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { auth } from '../auth.ts';
import { PageFailed } from '../components/page-failed.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { codeOf } from '../explain.ts';
import { InvitationsSection } from '../organizations/invitations-section.tsx';
import { MembersSection } from '../organizations/members-section.tsx';
import { OrganizationHead } from '../organizations/organization-head.tsx';
import { rightsIn } from '../organizations/role-rights.ts';
import { useResource } from '../use-resource.ts';

export function OrganizationPage() {
  const id = useRoute().params.id ?? '';
  return <RequireAccount>{(user) => <Organization id={id} user={user} key={id} />}</RequireAccount>;
}

function Organization({ id, user }: { id: string; user: Account }) {
  const { resource, reload, update } = useResource(useCallback(() => auth.organizations.get(id), [id]));
  if (resource.status === 'loading') return <PageLoading rows={4} label="Loading the organization" />;
  if (resource.status === 'failed') {
    if (codeOf(resource.error) !== 'not_found') return <PageFailed error={resource.error} retry={reload} />;
    return <NoOrganization />;
  }
  const organization: OrganizationFacts = resource.value;
  const rights = rightsIn(organization.myRole, user.role);
  return (
    <>
      <OrganizationHead
        organization={organization}
        rights={rights}
        onSaved={(saved) => update(() => saved)}
      />
      {rights.invite && <InvitationsSection organization={organization} roles={rights.roles} />}
      {rights.readMembers && (
        <MembersSection organization={organization} rights={rights} user={user} onMyRole={reload} />
      )}
    </>
  );
}

const NoOrganization = () => (
  <div class="section">
    <PageHeading title="Organization not found" />
    <p>
      It may have been deleted, or you are no longer a member.{' '}
      <a href="/organizations">Go to your organizations</a>
    </p>
  </div>
);
