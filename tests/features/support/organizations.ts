import type { Member, OrganizationRole } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { type Person, userIdOf } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';
import { memberPath, organizationsPath } from './authority.ts';

export type Known = { id: string };

export const organizationPath = ({ id }: Known): string => `${organizationsPath}/${id}`;

export const getOrganization = (browser: TestAgent, organization: Known): Promise<Answer> =>
  browser.get(organizationPath(organization));

export const patchOrganization = (browser: TestAgent, organization: Known, change: object): Promise<Answer> =>
  browser.patch(organizationPath(organization), change);

export const deleteOrganization = (browser: TestAgent, organization: Known): Promise<Answer> =>
  browser.delete(organizationPath(organization));

export const changeMember = (
  browser: TestAgent,
  organization: Known,
  person: Pick<Person, 'signedUp'>,
  role: string,
): Promise<Answer> => browser.patch(memberPath(organization, person), { role });

/** Removes a member. Users who remove themselves leave the organization. */
export const removeMember = (
  browser: TestAgent,
  organization: Known,
  person: Pick<Person, 'signedUp'>,
): Promise<Answer> => browser.delete(memberPath(organization, person));

/** The role of each member of an organization, by username. */
export async function membersOf(browser: TestAgent, organization: Known): Promise<Record<string, string>> {
  const { status, body } = await browser.get(`${organizationPath(organization)}/members?limit=200`);
  if (status !== 200) throw new Error(`listing the members returned ${status} ${body.code}`);
  return Object.fromEntries((body.members as Member[]).map(({ user, role }) => [user.username, role]));
}

/** Adds a member, or changes the role of a member, with SQL. */
export const setMembership = (
  { database }: TestService,
  { id }: Known,
  person: Person,
  role: OrganizationRole,
) =>
  database.sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    values (${id}, ${userIdOf(person)}, ${role}, latchkey.clock())
    on conflict (organization_id, user_id) do update set role = excluded.role`;

export const deleteMembership = ({ database }: TestService, { id }: Known, person: Person) =>
  database.sql`
    delete from latchkey.memberships where organization_id = ${id} and user_id = ${userIdOf(person)}`;

/** The number of organization admins whose account is not disabled. */
export async function countActiveAdmins({ database }: TestService, { id }: Known): Promise<number> {
  const rows = await database.sql`
    select from latchkey.memberships join latchkey.users on users.id = memberships.user_id
    where organization_id = ${id} and memberships.role = 'admin' and users.status = 'active'`;
  return rows.length;
}
