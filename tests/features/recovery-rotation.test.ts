import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { currentSession, currentUser } from './support/current-session.ts';
import {
  codesPath,
  createLink,
  generateCodes,
  signUpWithCodes,
  startRecovering,
  useCode,
  useLink,
} from './support/recovery.ts';

const newSecret = 'Zq3vN8xK1mR7tB5wY0cF4hL9sD2gJ6pAeUoIiTqVwErX';

let service: TestService;
/** An instance that accepts both secrets. The new secret is the first one. */
let bothSecrets: ServiceOn;
/** An instance that accepts only the new secret. */
let onlyNewSecret: ServiceOn;
beforeAll(async () => {
  service = await startTestService();
  bothSecrets = await startSecondInstance(service, { secret: [newSecret, secret] });
  onlyNewSecret = await startSecondInstance(service, { secret: newSecret });
});
afterAll(async () => {
  await bothSecrets.close();
  await onlyNewSecret.close();
  await service.close();
});

type Instance = Pick<ServiceOn, 'browser'>;
const generateOn = (instance: Instance, { browser }: Person) =>
  generateCodes(instance.browser(browser.cookies));
/** The number of remaining codes, from `GET /auth/recovery/codes` and from `GET /auth/session`. */
async function remainingOn(instance: ServiceOn, { browser: { cookies } }: Person): Promise<number[]> {
  const browser = instance.browser(cookies);
  const { body } = await browser.get(codesPath);
  expect(body.total).toBe(10);
  return [body.remaining, (await currentUser(browser)).recoveryCodesRemaining];
}
const useOn = (instance: Instance, person: Person, code = '') => useCode(instance.browser(), person, code);

test('codes created with the old secret work while the old secret is in JWT_SECRET, and fail afterward', async () => {
  const { person, codes } = await signUpWithCodes(service);
  expectProblem(await useOn(onlyNewSecret, person, codes[0]), 'authentication_failed');
  expect((await useOn(bothSecrets, person, codes[0])).status).toBe(200);
  expectProblem(await useOn(bothSecrets, person, codes[0]), 'authentication_failed');
  expectProblem(await useOn(service, person, codes[0]), 'authentication_failed');
  expectProblem(await useOn(onlyNewSecret, person, codes[1]), 'authentication_failed');
  expect((await useOn(service, person, codes[1])).status).toBe(200);
});

test('codes are created with the first secret in JWT_SECRET', async () => {
  const person = await signUp(service);
  const codes = await generateOn(bothSecrets, person);
  expectProblem(await useOn(service, person, codes[0]), 'authentication_failed');
  expect((await useOn(bothSecrets, person, codes[0])).status).toBe(200);
  expect((await useOn(onlyNewSecret, person, codes[1])).status).toBe(200);
});

test('a rotation in two steps rejects no valid code: JWT_SECRET lists the new secret second, and later first', async () => {
  const listed = await startSecondInstance(service, { secret: [secret, newSecret] });
  const person = await signUp(service);
  for (const instance of [listed, bothSecrets]) {
    const codes = await generateOn(instance, person);
    expect((await useOn(listed, person, codes[0])).status).toBe(200);
    expect((await useOn(bothSecrets, person, codes[1])).status).toBe(200);
  }
  await listed.close();
});

test('codes created after a rotation replace the earlier codes', async () => {
  const { person, codes: earlier } = await signUpWithCodes(service);
  await generateOn(bothSecrets, person);
  for (const code of earlier) expectProblem(await useOn(bothSecrets, person, code), 'authentication_failed');
  expect(await remainingOn(bothSecrets, person)).toEqual([10, 10]);
});

test('codes whose secret is not in JWT_SECRET do not count as remaining', async () => {
  const { person, codes } = await signUpWithCodes(service);
  await useOn(service, person, codes[0]);
  expect(await remainingOn(bothSecrets, person)).toEqual([9, 9]);
  expect(await remainingOn(onlyNewSecret, person)).toEqual([0, 0]);
});

test('recovery sessions and recovery links still work after a rotation', async () => {
  const { person, browser } = await startRecovering(service);
  expect((await currentSession(onlyNewSecret.browser(browser.cookies))).kind).toBe('recovery');
  const { token } = await createLink(service, person);
  expect((await useLink(onlyNewSecret.browser(), token)).status).toBe(200);
});
