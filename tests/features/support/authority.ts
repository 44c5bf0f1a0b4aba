import type { Role } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { newUsername, type Person, signUp, userIdOf } from '../../support/person.ts';
import type { ServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';
import { setRole } from './accounts.ts';

type Service = Pick<ServiceOn, 'browser' | 'url'>;

export const usersPath = '/auth/admin/users';
export const invitationsPath = '/auth/admin/invitations';
export const organizationsPath = '/auth/organizations';
export const auditPath = '/auth/admin/audit';

/** Signs up a user and sets their role with SQL. */
export async function signUpAs(service: TestService, role: Role, username?: string): Promise<Person> {
  const person = await signUp(service, username === undefined ? {} : { username });
  await setRole(service, person, role);
  return person;
}

/** Leaves only `people` as superadmins: demotes all other superadmins to the role user, with SQL. */
export const leaveSuperadmins = ({ database }: TestService, people: readonly Person[]) =>
  database.sql`
    update latchkey.users set role = 'user'
    where role = 'superadmin' and not id = any(${people.map(userIdOf)}::uuid[])`;

export const changeRole = (browser: TestAgent, person: Pick<Person, 'signedUp'>, role: string) =>
  browser.put(`${usersPath}/${userIdOf(person)}/role`, { role });

export const disable = (browser: TestAgent, person: Pick<Person, 'signedUp'>) =>
  browser.post(`${usersPath}/${userIdOf(person)}/disable`);

export const enable = (browser: TestAgent, person: Pick<Person, 'signedUp'>) =>
  browser.post(`${usersPath}/${userIdOf(person)}/enable`);

export const deleteUser = (browser: TestAgent, person: Pick<Person, 'signedUp'>) =>
  browser.delete(`${usersPath}/${userIdOf(person)}`);

export const postInvitation = (browser: TestAgent, input: object = {}): Promise<Answer> =>
  browser.post(invitationsPath, input);

/** Creates an invitation and returns its token. */
export async function invite(browser: TestAgent, input: object = {}): Promise<string> {
  const { status, body } = await postInvitation(browser, input);
  if (status !== 201) throw new Error(`inviting returned ${status} ${body.code}`);
  return body.token;
}

export const accept = (browser: TestAgent, token: string): Promise<Answer> =>
  browser.post(`${invitationsPath}/accept`, { token });

/** Creates an organization. The caller becomes its organization admin. */
export async function found(browser: TestAgent, input: object = {}): Promise<{ id: string; slug: string }> {
  const slug = newUsername('org').slice(0, 48);
  const { status, body } = await browser.post(organizationsPath, { name: 'An organization', slug, ...input });
  if (status !== 201) throw new Error(`creating the organization returned ${status} ${body.code}`);
  return body.organization;
}

/** Adds a user to an organization without an invitation. Only superadmins can do this. */
export const postMember = (
  browser: TestAgent,
  { id }: { id: string },
  { username }: Pick<Person, 'username'>,
  role?: string,
): Promise<Answer> => browser.post(`${organizationsPath}/${id}/members`, { username, ...(role && { role }) });

/** Invites the user whose username is in `input`. Creates an invitation link if `input` has no username. */
export const inviteTo = (browser: TestAgent, { id }: { id: string }, input: object = {}): Promise<Answer> =>
  browser.post(`${organizationsPath}/${id}/invitations`, input);

/** Makes a user a member. `browser` belongs to an organization admin, who invites the user. The user accepts. */
export async function admit(
  browser: TestAgent,
  organization: { id: string },
  person: Pick<Person, 'username' | 'browser'>,
  role = 'user',
): Promise<void> {
  const invited = await inviteTo(browser, organization, { username: person.username, role });
  if (invited.status !== 201) throw new Error(`inviting returned ${invited.status} ${invited.body.code}`);
  const joined = await person.browser.post(`/auth/invitations/${invited.body.invitation.id}/accept`);
  if (joined.status !== 200) throw new Error(`accepting returned ${joined.status} ${joined.body.code}`);
}

/** Signs up a user and makes them a member of an organization. */
export async function signUpMember(
  service: Service,
  browser: TestAgent,
  organization: { id: string },
  role = 'user',
): Promise<Person> {
  const person = await signUp(service);
  await admit(browser, organization, person, role);
  return person;
}

export const memberPath = ({ id }: { id: string }, person: Pick<Person, 'signedUp'>): string =>
  `${organizationsPath}/${id}/members/${userIdOf(person)}`;

export const leaveOrganization = (browser: TestAgent, { id }: { id: string }): Promise<Answer> =>
  browser.delete(`${organizationsPath}/${id}/membership`);

export const endSessionsOf = (browser: TestAgent, person: Pick<Person, 'signedUp'>): Promise<Answer> =>
  browser.delete(`${usersPath}/${userIdOf(person)}/sessions`);

/** Ends the session that `victim` is signed in with. */
export const endSessionOf = async (browser: TestAgent, victim: TestAgent): Promise<Answer> => {
  const { user, session } = (await victim.get('/auth/session')).body;
  return browser.delete(`${usersPath}/${user.id}/sessions/${session.id}`);
};

/** Creates a recovery link for `person`. */
export const help = (browser: TestAgent, person: Pick<Person, 'signedUp'>): Promise<Answer> =>
  browser.post(`${usersPath}/${userIdOf(person)}/recovery`);

export const deleteAccount = (browser: TestAgent): Promise<Answer> => browser.delete('/auth/account');

export async function activeSuperadmins({ database }: TestService): Promise<string[]> {
  const rows = await database.sql<{ username: string }[]>`
    select username from latchkey.users where role = 'superadmin' and status = 'active' order by username`;
  return rows.map(({ username }) => username);
}
