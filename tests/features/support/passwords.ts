import type { Answer, TestAgent } from '../../support/agent.ts';
import { newUsername, type Person, signUp, userIdOf } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';

export const password = 'a wet towel in Oslo';
export const otherPassword = 'nine lamps, one dark';
export const wrongPassword = 'a wet towel in Bergen';

export const addPassword = (browser: TestAgent, given = password): Promise<Answer> =>
  browser.post('/auth/password/add', { password: given });

export const removePassword = (browser: TestAgent): Promise<Answer> =>
  browser.delete('/auth/password/remove');

export const logInByPassword = (
  browser: TestAgent,
  { username }: Pick<Person, 'username'>,
  given = password,
): Promise<Answer> => browser.post('/auth/password/login', { username, password: given });

export const stepUpByPassword = (browser: TestAgent, given = password): Promise<Answer> =>
  browser.post('/auth/password/stepup', { password: given });

/** Signs up a user with a passkey and a password. */
export async function signUpWithPassword(
  service: Parameters<typeof signUp>[0],
  username = newUsername(),
): Promise<Person> {
  const person = await signUp(service, { username });
  const { status } = await addPassword(person.browser);
  if (status !== 201) throw new Error(`setting the password returned ${status}`);
  return person;
}

/** Signs up a user whose only sign-in method is a password, and signs the user in with it. */
export async function signUpWithOnlyPassword(
  service: Parameters<typeof signUp>[0],
  username = newUsername(),
): Promise<Person> {
  const person = await signUpWithPassword(service, username);
  const removed = await person.browser.delete(`/auth/passkey/devices/${person.signedUp.body.passkey.id}`);
  if (removed.status !== 204) throw new Error(`removing the passkey returned ${removed.status}`);
  const { status } = await logInByPassword(person.browser, person);
  if (status !== 200) throw new Error(`signing in with the password returned ${status}`);
  return person;
}

/** Signs a user in with the password, in a new browser. */
export async function enterByPassword(
  service: Parameters<typeof signUp>[0],
  person: Person,
): Promise<Person> {
  const browser = service.browser();
  const { status } = await logInByPassword(browser, person);
  if (status !== 200) throw new Error(`signing in with the password returned ${status}`);
  return { ...person, browser };
}

/** The bcrypt cost of a stored hash, in two digits. */
export const costOf = (hash: string | null): string | undefined => /\$2b\$(\d\d)\$/.exec(`${hash}`)?.[1];

export async function storedHash(service: TestService, person: Person): Promise<string | null> {
  const [row] = await service.database.sql`
    select password_hash from latchkey.users where id = ${userIdOf(person)}`;
  return row?.password_hash;
}
