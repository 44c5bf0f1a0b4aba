import type { CreatedOrganizationInvitation } from '../../organizations/invitations/organization-invitation.ts';
import type { Organization } from '../../organizations/organization.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { done, type Person, signIn } from './person.ts';
import type { TestClock } from './test-clock.ts';

/** An organization that the test kit created. */
export type TestOrganization = Pick<Organization, 'id' | 'name' | 'slug'>;

export interface Organizations {
  found(name: string): Promise<TestOrganization>;
  /** Makes a user a member: the founder invites the user, and the user accepts. */
  admit(organization: Pick<Organization, 'id'>, person: Person, role: OrganizationRole): Promise<void>;
}

/**
 * Creates organizations through the service's endpoints. The same user, the founder, creates all organizations.
 *
 * @param newAdmin creates the founder; called when the test creates its first organization
 */
export function organizationsBy(newAdmin: () => Promise<Person>, clock: TestClock): Organizations {
  let founder: Promise<Person> | undefined;
  let signedInAt = clock.now().getTime();

  /** Signs the founder in again if the clock has advanced, because the session can have expired. */
  function freshFounder(): Promise<Person> {
    const now = clock.now().getTime();
    founder ??= newAdmin();
    if (now !== signedInAt) {
      founder = founder.then(async (person) => {
        await signIn(person);
        return person;
      });
    }
    signedInAt = now;
    return founder;
  }

  return {
    async found(name) {
      const { agent } = await freshFounder();
      const { organization } = await done<{ organization: Organization }>(
        `creating organization ${name}`,
        agent.post('/auth/organizations', { name }),
      );
      return { id: organization.id, name: organization.name, slug: organization.slug };
    },
    async admit({ id }, person, role) {
      const { username } = person.user;
      const { agent } = await freshFounder();
      const { invitation } = await done<CreatedOrganizationInvitation>(
        `inviting ${username}`,
        agent.post(`/auth/organizations/${id}/invitations`, { username, role }),
      );
      await done(
        `accepting the invitation as ${username}`,
        person.agent.post(`/auth/invitations/${invitation.id}/accept`),
      );
    },
  };
}
