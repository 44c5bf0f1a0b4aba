import type { Organization } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';

/** The organization that the user joined. */
export type JoinedTo = Pick<Organization, 'id' | 'name'>;

export const Joined = ({ organization }: { organization: JoinedTo }) => (
  <>
    <PageHeading title={`You’re a member of ${organization.name}`}>
      You’re a member of <bdi>{organization.name}</bdi>
    </PageHeading>
    <p class="entrance__lead">You can leave the organization on its page at any time.</p>
    <div class="form form--close">
      <a class="button button--primary button--wide" href={`/organizations/${organization.id}`}>
        Open the organization
      </a>
      <a class="button button--secondary button--wide" href="/">
        Go to your account
      </a>
    </div>
  </>
);
