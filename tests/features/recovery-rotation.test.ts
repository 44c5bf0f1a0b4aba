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
/** The service after JWT_SECRET was rotated, with the old secret still listed. */
let bothSecrets: ServiceOn;
/** The service once the old secret is no longer listed. */
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
/** The number of remaining codes, from the codes' endpoint and from the account. */
async function remainingOn(instance: ServiceOn, { browser: { cookies } }: Person): Promise<number[]> {
  const browser = instance.browser(cookies);
  const { body } = await browser.get(codesPath);
  expect(body.total).toBe(10);
  return [body.remaining, (await currentUser(browser)).recoveryCodesRemaining];
}
const useOn = (instance: Instance, person: Person, code = '') => useCode(instance.browser(), person, code);

test('codes made with the old secret work while it is listed, and fail once it is not', async () => {
  const { person, codes } = await signUpWithCodes(service);
  expectProblem(await useOn(onlyNewSecret, person, codes[0]), 'authentication_failed');
  expect((await useOn(bothSecrets, person, codes[0])).status).toBe(200);
  expectProblem(await useOn(bothSecrets, person, codes[0]), 'authentication_failed');
  expectProblem(await useOn(service, person, codes[0]), 'authentication_failed');
  expectProblem(await useOn(onlyNewSecret, person, codes[1]), 'authentication_failed');
  expect((await useOn(service, person, codes[1])).status).toBe(200);
});

test('codes are made with the new secret as soon as it is listed first', async () => {
  const person = await signUp(service);
  const codes = await generateOn(bothSecrets, person);
  expectProblem(await useOn(service, person, codes[0]), 'authentication_failed');
  expect((await useOn(bothSecrets, person, codes[0])).status).toBe(200);
  expect((await useOn(onlyNewSecret, person, codes[1])).status).toBe(200);
});

test('a rollout that lists the new secret before using it never rejects a valid code', async () => {
  const listed = await startSecondInstance(service, { secret: [secret, newSecret] });
  const person = await signUp(service);
  for (const maker of [listed, bothSecrets]) {
    const codes = await generateOn(maker, person);
    expect((await useOn(listed, person, codes[0])).status).toBe(200);
    expect((await useOn(bothSecrets, person, codes[1])).status).toBe(200);
  }
  await listed.close();
});

test('codes generated after a rotation replace the earlier ones', async () => {
  const { person, codes: earlier } = await signUpWithCodes(service);
  await generateOn(bothSecrets, person);
  for (const code of earlier) expectProblem(await useOn(bothSecrets, person, code), 'authentication_failed');
  expect(await remainingOn(bothSecrets, person)).toEqual([10, 10]);
});

test('only codes that can still be used count as remaining', async () => {
  const { person, codes } = await signUpWithCodes(service);
  await useOn(service, person, codes[0]);
  expect(await remainingOn(bothSecrets, person)).toEqual([9, 9]);
  expect(await remainingOn(onlyNewSecret, person)).toEqual([0, 0]);
});

test('recovery sessions and recovery links survive a rotation', async () => {
  const { person, browser } = await startRecovering(service);
  expect((await currentSession(onlyNewSecret.browser(browser.cookies))).kind).toBe('recovery');
  const { token } = await createLink(service, person);
  expect((await useLink(onlyNewSecret.browser(), token)).status).toBe(200);
});
