import type { AuthServiceOptions } from 'latchkey';
import { addPassword, logInByPassword } from '../../features/support/passwords.ts';
import { type Answer, createAgent, type TestAgent } from '../../support/agent.ts';
import { newAuthenticator, newUsername, signUp } from '../../support/person.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { attestationObject } from './attestations.ts';
import { useChallenge } from './published-challenges.ts';
import { type Example, origin, rpId, sha256 } from './webauthn-examples.ts';

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const options = { rpId, origins: [origin], bcryptCost: 10 } satisfies AuthServiceOptions;

/** A service of the relying party of the specification. */
export async function startExampleService(more: AuthServiceOptions = {}): Promise<TestService> {
  const service = await startTestService({ ...options, ...more });
  return { ...service, browser: () => createAgent(service.url, origin) };
}

/** What a browser sends at the end of a registration. */
export interface Registration {
  id: string;
  clientDataJSON: Uint8Array;
  attestationObject: Uint8Array;
}

/** The registration as the specification publishes it. */
export const publishedRegistration = ({ credentialId, registration }: Example): Registration => ({
  id: base64url(credentialId),
  clientDataJSON: registration.clientDataJSON,
  attestationObject: registration.attestationObject,
});

/** The registration as a browser sends it if the relying party requests no attestation (WebAuthn 5.1.3, step 22). */
export const withoutAttestation = (
  { credentialId, registration }: Example,
  authenticatorData = registration.authenticatorData,
): Registration => ({
  id: base64url(credentialId),
  clientDataJSON: sameOrigin(registration.clientDataJSON),
  attestationObject: attestationObject('none', new Map(), authenticatorData),
});

/** The client data of the same ceremony outside an iframe. */
const sameOrigin = (clientDataJSON: Uint8Array) =>
  changeClientData(clientDataJSON, { crossOrigin: false, topOrigin: undefined });

export function changeClientData(clientDataJSON: Uint8Array, members: object): Uint8Array {
  const clientData: object = JSON.parse(Buffer.from(clientDataJSON).toString());
  return Buffer.from(JSON.stringify({ ...clientData, ...members }));
}

/** Returns a copy in which the lowest bit of one byte is different. A negative index counts from the end. */
export function flipBit(bytes: Uint8Array, index: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  const at = index < 0 ? bytes.length + index : index;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

export interface Attempt {
  answer: Answer;
  /** The user handle in the options of the registration. */
  userHandle: string;
}

const credentialOf = ({ id, clientDataJSON, attestationObject: object }: Registration) => ({
  id,
  rawId: id,
  type: 'public-key',
  response: { clientDataJSON: base64url(clientDataJSON), attestationObject: base64url(object) },
});

/** Signs up a new user with the challenge of the example. */
export async function signUpWith(
  service: TestService,
  example: Example,
  registration: Registration,
): Promise<Attempt> {
  const browser = service.browser();
  useChallenge(base64url(example.registration.challenge));
  const started = await browser.post('/auth/passkey/register/start', { username: newUsername() });
  const answer = await browser.post('/auth/passkey/register/verify', {
    credential: credentialOf(registration),
  });
  return { answer, userHandle: started.body.options.user.id };
}

/** Adds the passkey to a new account by conditional create, which does not require user verification. */
export async function addQuietly(
  service: TestService,
  example: Example,
  registration: Registration,
): Promise<Attempt> {
  const browser = await browserSignedInByPassword(service);
  useChallenge(base64url(example.registration.challenge));
  const started = await browser.post('/auth/passkey/devices/add', { conditional: true });
  const answer = await browser.post('/auth/passkey/devices/add', { credential: credentialOf(registration) });
  return { answer, userHandle: started.body.options.user.id };
}

async function browserSignedInByPassword(service: TestService): Promise<TestAgent> {
  const person = await signUp(service, { authenticator: newAuthenticator({ origin }) });
  await addPassword(person.browser);
  await person.browser.delete(`/auth/passkey/devices/${person.signedUp.body.passkey.id}`);
  const { status } = await logInByPassword(person.browser, person);
  if (status !== 200) throw new Error(`signing in with the password returned ${status}`);
  return person.browser;
}

/** What a browser sends at the end of an authentication. */
export interface Assertion {
  id: string;
  clientDataJSON: Uint8Array;
  authenticatorData: Uint8Array;
  signature: Uint8Array;
}

/** The authentication as the specification publishes it. */
export const publishedAssertion = ({ credentialId, authentication }: Example): Assertion => ({
  id: base64url(credentialId),
  clientDataJSON: authentication.clientDataJSON,
  authenticatorData: authentication.authenticatorData,
  signature: authentication.signature,
});

/** Signs changed data with the key of the example. */
export function signAgain({ keys }: Example, assertion: Assertion): Assertion {
  const { authenticatorData, clientDataJSON } = assertion;
  return { ...assertion, signature: keys.sign(Buffer.concat([authenticatorData, sha256(clientDataJSON)])) };
}

/** Signs in with the challenge of the example. */
export async function signInWith(
  service: TestService,
  example: Example,
  assertion: Assertion,
  userHandle: string,
): Promise<Answer> {
  const browser = service.browser();
  useChallenge(base64url(example.authentication.challenge));
  await browser.post('/auth/passkey/login/start', {});
  const { id, clientDataJSON, authenticatorData, signature } = assertion;
  const response = {
    clientDataJSON: base64url(clientDataJSON),
    authenticatorData: base64url(authenticatorData),
    signature: base64url(signature),
    userHandle,
  };
  return browser.post('/auth/passkey/login/verify', {
    credential: { id, rawId: id, type: 'public-key', response },
  });
}

/** The result of a request: `accepted`, or the reason of the refusal in the audit log. */
export async function resultOf(service: TestService, answer: Answer): Promise<string> {
  const rows = await service.database.sql<{ event: string; outcome: string; reason: string | null }[]>`
    select event, outcome, details ->> 'reason' as reason from latchkey.audit_events
    where request_id = ${answer.headers.get('x-request-id')} and event <> 'session.open'`;
  const accepted = answer.status === 200 || answer.status === 201;
  const [row] = rows;
  if (accepted !== (row?.outcome === 'success')) throw new Error(`${answer.status}: ${JSON.stringify(rows)}`);
  return accepted ? 'accepted' : `${answer.status} ${answer.body.code}: ${row?.reason}`;
}
