import type { Organization } from '../../organizations/organization.ts';
import type { MembershipRole } from '../../roles/principal.ts';
import { done, type Person, signIn } from './person.ts';
import type { TestClock } from './test-clock.ts';

/** An organization of a test. */
export type TestOrganization = Pick<Organization, 'id' | 'name' | 'slug'>;

export interface Organizations {
  found(name: string): Promise<TestOrganization>;
  admit(organization: Pick<Organization, 'id'>, username: string, role: MembershipRole): Promise<void>;
}

/**
 * Founds organizations through the service's own endpoints, by somebody who is their first admin.
 *
 * @param newAdmin makes that person, as soon as there is something to found
 */
export function organizationsBy(newAdmin: () => Promise<Person>, clock: TestClock): Organizations {
  let founder: Promise<Person> | undefined;
  let provenAt = clock.now().getTime();

  /** Founding and admitting need a fresh session, which the turned clock may have ended. */
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
    async admit({ id }, username, role) {
      const { entrance } = await freshFounder();
      const path = `/auth/organizations/${id}/members`;
      await done(`admitting ${username}`, entrance.post(path, { username, role }));
    },
  };
}
