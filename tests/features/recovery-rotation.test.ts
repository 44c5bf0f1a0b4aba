import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';

const codesPath = '/auth/recovery/codes';
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

const generateOn = async (instance: Pick<ServiceOn, 'browser'>, { browser }: Person): Promise<string[]> =>
  (await instance.browser(browser.cookies).post(`${codesPath}/generate`)).body.codes;
const useOn = (instance: Pick<ServiceOn, 'browser'>, { username }: Person, code = '') =>
  instance.browser().post(`${codesPath}/use`, { username, code });

test('codes made under the old secret are taken while it is listed, and dead when it is not', async () => {
  const person = await signUp(service);
  const codes = (await person.browser.post(`${codesPath}/generate`)).body.codes;
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
  const person = await signUp(service);
  const earlier = (await person.browser.post(`${codesPath}/generate`)).body.codes;
  await generateOn(rotated, person);
  for (const code of earlier) expectProblem(await useOn(rotated, person, code), 'authentication_failed');
  const { body } = await person.browser.get(codesPath);
  expect(body).toMatchObject({ total: 10, remaining: 10 });
});

test('a recovery session outlives a rotation, and so does a link', async () => {
  const person = await signUp(service);
  const [code] = (await person.browser.post(`${codesPath}/generate`)).body.codes;
  const browser = service.browser();
  await browser.post(`${codesPath}/use`, { username: person.username, code });
  expect((await afterwards.browser(browser.cookies).get('/auth/session')).body.session.kind).toBe('recovery');
  const { token } = await service.auth.recovery.createLink(person.username, { operator: 'ops' });
  expect((await afterwards.browser().post('/auth/recovery/assisted/use', { token })).status).toBe(200);
});
