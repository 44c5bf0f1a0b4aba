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

/** The stored hash of the user's password. */
export async function storedHash(service: TestService, person: Person): Promise<string | null> {
  const [row] = await service.database.sql`
    select password_hash from latchkey.users where id = ${userIdOf(person)}`;
  return row?.password_hash;
}
