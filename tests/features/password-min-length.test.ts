import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  addPassword,
  logInByPassword,
  signUpWithOnlyPassword,
  stepUpByPassword,
} from './support/passwords.ts';

const fourteen = 'lamps in Oslo!';
const fifteen = 'lamps in Bergen';

let service: TestService;
/** An instance that requires at least 15 characters in a new password. */
let strict: ServiceOn;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  strict = await startSecondInstance(service, { bcryptCost: 4, passwordMinLength: 15 });
});
afterAll(async () => {
  await strict.close();
  await service.close();
});

test('auth.config contains the minimum length of a new password', () => {
  expect([service.auth.config.passwordMinLength, strict.auth.config.passwordMinLength]).toEqual([8, 15]);
});

describe('with passwordMinLength: 15', () => {
  test('a new password needs at least 15 characters, and the error says so', async () => {
    const { browser, username } = await signUp(service);
    const ours = strict.browser(browser.cookies);
    expectProblem(await addPassword(ours, fourteen), 'password_unacceptable', {
      reason: 'too_short',
      detail: 'The password must have at least 15 characters.',
    });
    // Fifteen characters that normalize to fourteen.
    expectProblem(await addPassword(ours, `${fourteen.slice(0, 13)}e\u0301`), 'password_unacceptable', {
      reason: 'too_short',
      detail: 'The password must have at least 15 characters.',
    });
    expect((await addPassword(ours, fifteen)).status).toBe(201);
    expect((await logInByPassword(strict.browser(), { username }, fifteen)).status).toBe(200);
  });

  test('a shorter password that was set before still works for sign-in and step-up', async () => {
    const person = await signUpWithOnlyPassword(service);
    expect((await addPassword(person.browser, fourteen)).status).toBe(200);
    expect((await logInByPassword(strict.browser(), person, fourteen)).status).toBe(200);
    expect((await stepUpByPassword(strict.browser(person.browser.cookies), fourteen)).status).toBe(200);
  });

  test('the password of the first superadmin needs at least 15 characters', async () => {
    const bootstrap = (password: string) =>
      strict.auth.asOperator('ops').bootstrap({ username: 'rosa', password });
    await expect(bootstrap(fourteen)).rejects.toMatchObject({
      code: 'password_unacceptable',
      reason: 'too_short',
    });
    expect((await bootstrap(fifteen)).user.username).toBe('rosa');
  });
});
