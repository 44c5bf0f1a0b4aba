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

const newer = 'Zq3vN8xK1mR7tB5wY0cF4hL9sD2gJ6pAeUoIiTqVwErX';

let service: TestService;
/** The service after JWT_SECRET was rotated, while the old one is listed still. */
let rotated: ServiceOn;
/** And once it no longer is. */
let afterwards: ServiceOn;
beforeAll(async () => {
  service = await startTestService();
  rotated = await startSecondInstance(service, { secret: [newer, secret] });
  afterwards = await startSecondInstance(service, { secret: newer });
});
afterAll(async () => {
  await rotated.close();
  await afterwards.close();
  await service.close();
});

type Instance = Pick<ServiceOn, 'browser'>;
const generateOn = (instance: Instance, { browser }: Person) =>
  generateCodes(instance.browser(browser.cookies));
/** As the codes' own route tells, and as the account does. */
async function remainingOn(instance: ServiceOn, { browser: { cookies } }: Person): Promise<number[]> {
  const browser = instance.browser(cookies);
  const { body } = await browser.get(codesPath);
  expect(body.total).toBe(10);
  return [body.remaining, (await currentUser(browser)).recoveryCodesRemaining];
}
const useOn = (instance: Instance, person: Person, code = '') => useCode(instance.browser(), person, code);

test('codes made under the old secret are taken while it is listed, and dead when it is not', async () => {
  const { person, codes } = await signUpWithCodes(service);
  expectProblem(await useOn(afterwards, person, codes[0]), 'authentication_failed');
  expect((await useOn(rotated, person, codes[0])).status).toBe(200);
  expectProblem(await useOn(rotated, person, codes[0]), 'authentication_failed');
  expectProblem(await useOn(service, person, codes[0]), 'authentication_failed');
  expectProblem(await useOn(afterwards, person, codes[1]), 'authentication_failed');
  expect((await useOn(service, person, codes[1])).status).toBe(200);
});

test('codes are made under the new secret as soon as it comes first', async () => {
  const person = await signUp(service);
  const codes = await generateOn(rotated, person);
  expectProblem(await useOn(service, person, codes[0]), 'authentication_failed');
  expect((await useOn(rotated, person, codes[0])).status).toBe(200);
  expect((await useOn(afterwards, person, codes[1])).status).toBe(200);
});

test('a rollout that lists the new secret before it makes codes with it never turns anybody away', async () => {
  const listed = await startSecondInstance(service, { secret: [secret, newer] });
  const person = await signUp(service);
  for (const maker of [listed, rotated]) {
    const codes = await generateOn(maker, person);
    expect((await useOn(listed, person, codes[0])).status).toBe(200);
    expect((await useOn(rotated, person, codes[1])).status).toBe(200);
  }
  await listed.close();
});

test('codes made anew after a rotation take the place of those made before', async () => {
  const { person, codes: earlier } = await signUpWithCodes(service);
  await generateOn(rotated, person);
  for (const code of earlier) expectProblem(await useOn(rotated, person, code), 'authentication_failed');
  expect(await remainingOn(rotated, person)).toEqual([10, 10]);
});

test('codes are counted as left only where they can still be used', async () => {
  const { person, codes } = await signUpWithCodes(service);
  await useOn(service, person, codes[0]);
  expect(await remainingOn(rotated, person)).toEqual([9, 9]);
  expect(await remainingOn(afterwards, person)).toEqual([0, 0]);
});

test('a recovery session outlives a rotation, and so does a link', async () => {
  const { person, browser } = await startRecovering(service);
  expect((await currentSession(afterwards.browser(browser.cookies))).kind).toBe('recovery');
  const { token } = await createLink(service, person);
  expect((await useLink(afterwards.browser(), token)).status).toBe(200);
});
