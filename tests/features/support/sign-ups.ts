import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { newAuthenticator, newUsername, type Person } from '../../support/person.ts';
import type { ServiceOn } from '../../support/service-on.ts';

export const startPath = '/auth/passkey/register/start';
const verifyPath = '/auth/passkey/register/verify';
export const userInvitationsPath = '/auth/admin/user-invitations';

interface SignUpInput {
  username?: string;
  displayName?: string;
  fields?: object;
  invitation?: string;
}

/** A sign-up that has started, and has a passkey. */
export interface PreparedSignUp {
  username: string;
  browser: TestAgent;
  authenticator: SoftwareAuthenticator;
  credential: unknown;
}

export async function prepareSignUp(
  service: Pick<ServiceOn, 'browser'>,
  { username = newUsername(), ...input }: SignUpInput = {},
): Promise<PreparedSignUp> {
  const browser = service.browser();
  const { status, body } = await browser.post(startPath, { username, ...input });
  if (status !== 200) throw new Error(`the start of the sign-up returned ${status} ${body.code}`);
  const authenticator = newAuthenticator();
  return { username, browser, authenticator, credential: await authenticator.create(body.options) };
}

export const finishSignUp = ({ browser, credential }: PreparedSignUp): Promise<Answer> =>
  browser.post(verifyPath, { credential });

/** @throws Error if the sign-up fails */
export async function signUpWith(service: Pick<ServiceOn, 'browser'>, input: SignUpInput): Promise<Person> {
  const prepared = await prepareSignUp(service, input);
  const signedUp = await finishSignUp(prepared);
  if (signedUp.status !== 201)
    throw new Error(`the sign-up returned ${signedUp.status} ${signedUp.body.code}`);
  return { ...prepared, signedUp };
}

/** Creates a user invitation and returns its id and its token. */
export async function inviteUser(
  browser: TestAgent,
  input: object = {},
): Promise<{ id: string; token: string; url: string }> {
  const { status, body } = await browser.post(userInvitationsPath, input);
  if (status !== 201) throw new Error(`inviting returned ${status} ${body.code}`);
  return { id: body.invitation.id, token: body.token, url: body.url };
}
