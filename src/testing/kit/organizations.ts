import type { CreatedOrganizationInvitation } from '../../organizations/invitations/organization-invitation.ts';
import type { Organization } from '../../organizations/organization.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { done, type Person, signIn } from './person.ts';
import type { TestClock } from './test-clock.ts';

/** An organization of a test. */
export type TestOrganization = Pick<Organization, 'id' | 'name' | 'slug'>;

export interface Organizations {
  found(name: string): Promise<TestOrganization>;
  /** Makes a user a member: the founder invites, and the user accepts. */
  admit(organization: Pick<Organization, 'id'>, person: Person, role: OrganizationRole): Promise<void>;
}

/**
 * Founds organizations through the service's own endpoints, by somebody who is their first admin.
 *
 * @param newAdmin makes that person, as soon as there is something to found
 */
export function organizationsBy(newAdmin: () => Promise<Person>, clock: TestClock): Organizations {
  let founder: Promise<Person> | undefined;
  let provenAt = clock.now().getTime();

  /** Founding and inviting need a fresh session, which the turned clock may have ended. */
  function freshFounder(): Promise<Person> {
    const now = clock.now().getTime();
    founder ??= newAdmin();
    if (now !== provenAt) {
      founder = founder.then(async (person) => {
        await signIn(person);
        return person;
      });
    }
    provenAt = now;
    return founder;
  }

  return {
    async found(name) {
      const { entrance } = await freshFounder();
      const { organization } = await done<{ organization: Organization }>(
        `founding ${name}`,
        entrance.post('/auth/organizations', { name }),
      );
      return { id: organization.id, name: organization.name, slug: organization.slug };
    },
    async admit({ id }, person, role) {
      const { username } = person.user;
      const { entrance } = await freshFounder();
      const { invitation } = await done<CreatedOrganizationInvitation>(
        `inviting ${username}`,
        entrance.post(`/auth/organizations/${id}/invitations`, { username, role }),
      );
      await done(
        `accepting for ${username}`,
        person.entrance.post(`/auth/invitations/${invitation.id}/accept`),
      );
    },
  };
}
