import {
  type CreateTampering,
  createSoftwareAuthenticator,
  type GetTampering,
  type SoftwareAuthenticator,
  type SoftwareAuthenticatorOptions,
} from 'latchkey/testing';
import type { Answer, TestAgent } from './agent.ts';
import { origin, type TestService } from './test-service.ts';

/** A user who has signed up, and the browser and the authenticator of this user. */
export interface Person {
  username: string;
  browser: TestAgent;
  authenticator: SoftwareAuthenticator;
  /** The response to the sign-up. */
  signedUp: Answer;
}

export const userIdOf = ({ signedUp }: Pick<Person, 'signedUp'>): string => signedUp.body.user.id;

let counter = 0;
/** Returns a username that no other test uses. */
export const newUsername = (stem = 'person'): string => `${stem}-${process.pid}-${++counter}`;

export const newAuthenticator = (
  options: Partial<SoftwareAuthenticatorOptions> = {},
): SoftwareAuthenticator => createSoftwareAuthenticator({ origin, ...options });

export async function signUpStart(browser: TestAgent, username = newUsername()) {
  return (await browser.post('/auth/passkey/register/start', { username })).body.options;
}

export async function signUp(
  service: Pick<TestService, 'browser' | 'url'>,
  { username = newUsername(), browser = service.browser(), authenticator = newAuthenticator() } = {},
): Promise<Person> {
  const options = await signUpStart(browser, username);
  const credential = await authenticator.create(options);
  const signedUp = await browser.post('/auth/passkey/register/verify', { credential });
  if (signedUp.status !== 201) throw new Error(`sign-up returned ${signedUp.status} ${signedUp.body.code}`);
  return { username, browser, authenticator, signedUp };
}

/** Signs in with a passkey in the given browser. */
export async function logIn(
  browser: TestAgent,
  authenticator: SoftwareAuthenticator,
  { username = undefined as string | undefined, tamper = undefined as GetTampering | undefined } = {},
): Promise<Answer> {
  const { options } = (await browser.post('/auth/passkey/login/start', username ? { username } : {})).body;
  const credential = await authenticator.get(options, tamper);
  return browser.post('/auth/passkey/login/verify', { credential });
}

export async function addPasskey(
  browser: TestAgent,
  authenticator = newAuthenticator(),
  { label = undefined as string | undefined, tamper = undefined as CreateTampering | undefined } = {},
): Promise<Answer> {
  const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
  const credential = await authenticator.create(options, tamper);
  return browser.post('/auth/passkey/devices/add', { credential, ...(label && { label }) });
}

/** Creates a passkey for the account in the browser. Returns a function that sends the passkey from any browser. */
export async function preparePasskey(
  browser: TestAgent,
  authenticator = newAuthenticator(),
  tamper: CreateTampering = {},
): Promise<(from?: TestAgent) => Promise<Answer>> {
  const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
  const credential = await authenticator.create(options, tamper);
  return (from = browser) => from.post('/auth/passkey/devices/add', { credential });
}

export async function stepUp(browser: TestAgent, authenticator: SoftwareAuthenticator): Promise<Answer> {
  const { options } = (await browser.post('/auth/passkey/stepup/start', {})).body;
  return browser.post('/auth/passkey/stepup/verify', { credential: await authenticator.get(options) });
}
