import type { Answer, TestAgent } from '../../support/agent.ts';
import { type Person, userIdOf } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';
import { signUpAs, usersPath } from './authority.ts';

export const reason = 'Ticket 4711: the list of orders is empty';

/** Opens a session as `person` in the browser of a superadmin. */
export const impersonate = (browser: TestAgent, person: Pick<Person, 'signedUp'>): Promise<Answer> =>
  browser.post(`${usersPath}/${userIdOf(person)}/impersonation`, { reason });

/** Creates a superadmin, whose browser then has an impersonated session of `person`. */
export async function superadminAs(service: TestService, person: Pick<Person, 'signedUp'>): Promise<Person> {
  const superadmin = await signUpAs(service, 'superadmin');
  const answer = await impersonate(superadmin.browser, person);
  if (answer.status !== 201) throw new Error(`impersonating returned ${answer.status} ${answer.body.code}`);
  return superadmin;
}

/** Creates a link of the operator `grace`. Returns its token. */
export async function createImpersonationLink(
  { auth }: Pick<TestService, 'auth'>,
  { username }: Pick<Person, 'username'>,
): Promise<string> {
  return (await auth.asOperator('grace').users.impersonate(username, { reason })).token;
}

export const useImpersonationLink = (browser: TestAgent, token: string): Promise<Answer> =>
  browser.post('/auth/impersonation', { token });

/** Returns a new browser in which the operator `grace` uses the account of `person`. */
export async function operatorAs(
  service: Pick<TestService, 'auth' | 'browser'>,
  person: Pick<Person, 'username'>,
): Promise<TestAgent> {
  const browser = service.browser();
  const answer = await useImpersonationLink(browser, await createImpersonationLink(service, person));
  if (answer.status !== 200) throw new Error(`using the link returned ${answer.status} ${answer.body.code}`);
  return browser;
}
