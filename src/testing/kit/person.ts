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

/** A signed-up user, with a browser that sends requests to the service's endpoints. */
export interface Person {
  user: User;
  authenticator: SoftwareAuthenticator;
  agent: TestAgent;
}

/**
 * Signs a user up with a passkey, in a real ceremony.
 *
 * @param start the body of the request; `invitation` is the token of an invitation
 * @throws Error if the service rejects the sign-up
 */
export async function signUp(
  agent: TestAgent,
  origin: string,
  start: { username: string; fields?: object | undefined; invitation?: string | undefined },
): Promise<Person> {
  const authenticator = createSoftwareAuthenticator({ origin });
  const { options } = await done<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    `sign-up of ${start.username}`,
    agent.post('/auth/passkey/register/start', start),
  );
  const credential = await authenticator.create(options);
  const { user } = await done<{ user: User }>(
    `sign-up of ${start.username}`,
    agent.post('/auth/passkey/register/verify', { credential }),
  );
  return { user, authenticator, agent };
}

/**
 * Signs a user in with the passkey. The user can already be signed in.
 *
 * @throws Error if the service rejects the sign-in
 */
export const signIn = (person: Person): Promise<void> => authenticate(person, 'login', 'sign-in');

/**
 * Runs a step-up with the passkey, so that the user's session is fresh again.
 *
 * @throws Error if the service rejects the step-up, for example because the session has ended
 */
export const stepUp = (person: Person): Promise<void> => authenticate(person, 'stepup', 'step-up');

async function authenticate(
  { agent, authenticator, user }: Person,
  ceremony: 'login' | 'stepup',
  name: string,
): Promise<void> {
  const action = `${name} of ${user.username}`;
  const { options } = await done<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    action,
    agent.post(`/auth/passkey/${ceremony}/start`),
  );
  const credential = await authenticator.get(options);
  await done(action, agent.post(`/auth/passkey/${ceremony}/verify`, { credential }));
}

/** Ends the session of the user's browser. */
export async function signOut({ agent, user }: Person): Promise<void> {
  await done(`sign-out of ${user.username}`, agent.delete('/auth/session'));
}

/**
 * Returns the body of a successful response.
 *
 * @throws Error if the response is not successful; the message contains the status and the code of the response
 */
export async function done<Body>(action: string, answered: Promise<TestAnswer<unknown>>): Promise<Body> {
  const { status, body } = await answered;
  if (status < 300) return body as Body;
  const { code = '' } = { ...(body as { code?: string } | null) };
  throw new Error(`${action} failed: ${status} ${code}`);
}
