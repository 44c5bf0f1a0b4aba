import { expect } from 'vitest';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { type Person, signUp } from '../../support/person.ts';
import type { ServiceOn } from '../../support/service-on.ts';

export const password = 'a wet towel in Oslo';

type Named = Pick<Person, 'username'>;

let addresses = 0;
/** Headers of a client with an IP address that no other request has. */
const fromNewAddress = (): { 'X-Forwarded-For': string } => {
  addresses += 1;
  return { 'X-Forwarded-For': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
};

/** Signs up a user with a passkey and a password. */
export async function signUpWithPassword(instance: ServiceOn): Promise<Person> {
  const person = await signUp(instance);
  expect((await setPassword(person.browser, password)).status).toBe(201);
  return person;
}

/** Signs up a user whose only sign-in method is a password, and signs the user in with it. */
export async function signUpWithOnlyPassword(instance: ServiceOn): Promise<Person> {
  const person = await signUpWithPassword(instance);
  const { passkey } = person.signedUp.body;
  expect((await person.browser.delete(`/auth/passkey/devices/${passkey.id}`)).status).toBe(204);
  expect((await logInByPassword(person.browser, person)).status).toBe(200);
  return person;
}

export const setPassword = (browser: TestAgent, given: string): Promise<Answer> =>
  browser.post('/auth/password/add', { password: given }, fromNewAddress());

/** Signs in with a password, from an IP address that no other request has. */
export const logInByPassword = (browser: TestAgent, { username }: Named, given = password): Promise<Answer> =>
  browser.post('/auth/password/login', { username, password: given }, fromNewAddress());

/** Sends a wrong password for the user, by default from a new browser. */
export const guessPassword = (
  instance: Pick<ServiceOn, 'browser'>,
  person: Named,
  browser = instance.browser(),
): Promise<Answer> => logInByPassword(browser, person, 'a wet towel in Bergen');

export const stepUpByPassword = (browser: TestAgent, given = password): Promise<Answer> =>
  browser.post('/auth/password/stepup', { password: given }, fromNewAddress());

/** Uses a recovery code, by default from an IP address that no other request has. */
export const useCode = (
  browser: TestAgent,
  { username }: Named,
  code = '',
  headers: Record<string, string> = fromNewAddress(),
): Promise<Answer> => browser.post('/auth/recovery/codes/use', { username, code }, headers);

/** Signs out. The browser keeps its device cookie. */
export async function signOut(browser: TestAgent): Promise<TestAgent> {
  await browser.delete('/auth/session', fromNewAddress());
  expect(browser.cookies.has('latchkey')).toBe(false);
  return browser;
}

/** Returns what is left of the tightest budget of a response. */
export const left = ({ headers }: Answer): number => Number(headers.get('RateLimit-Remaining'));
