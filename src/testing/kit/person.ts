import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { User } from '../../core/user.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../authenticator/software-authenticator.ts';
import type { TestAgent, TestAnswer } from './test-agent.ts';

/** Somebody who has signed up, with their browser at the service's own endpoints. */
export interface Person {
  user: User;
  authenticator: SoftwareAuthenticator;
  entrance: TestAgent;
}

/** Makes an account as everybody does: with a passkey, which signs them in. @throws Error where it is refused */
export async function signUp(entrance: TestAgent, origin: string, username: string): Promise<Person> {
  const authenticator = createSoftwareAuthenticator({ origin });
  const { options } = await done<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    `signing up ${username}`,
    entrance.post('/auth/passkey/register/start', { username }),
  );
  const credential = await authenticator.create(options);
  const { user } = await done<{ user: User }>(
    `signing up ${username}`,
    entrance.post('/auth/passkey/register/verify', { credential }),
  );
  return { user, authenticator, entrance };
}

/** Signs somebody in with their passkey, whether or not they are signed in. @throws Error where it is refused */
export const signIn = (person: Person): Promise<void> => prove(person, 'login', 'signing in');

/** Makes somebody's session fresh again with their passkey. @throws Error where it is refused, without a session say */
export const stepUp = (person: Person): Promise<void> => prove(person, 'stepup', 'stepping up');

async function prove(
  { entrance, authenticator, user }: Person,
  ceremony: 'login' | 'stepup',
  deed: string,
): Promise<void> {
  const what = `${deed} ${user.username}`;
  const { options } = await done<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    what,
    entrance.post(`/auth/passkey/${ceremony}/start`),
  );
  const credential = await authenticator.get(options);
  await done(what, entrance.post(`/auth/passkey/${ceremony}/verify`, { credential }));
}

/** Ends the session of somebody's browser. */
export async function signOut({ entrance, user }: Person): Promise<void> {
  await done(`signing out ${user.username}`, entrance.delete('/auth/session'));
}

/** What an endpoint of the service answered. @throws Error where it refused, with the code */
export async function done<Body>(what: string, answered: Promise<TestAnswer<unknown>>): Promise<Body> {
  const { status, body } = await answered;
  if (status < 300) return body as Body;
  const { code = '' } = { ...(body as { code?: string } | null) };
  throw new Error(`${what} was answered ${status} ${code}`);
}
