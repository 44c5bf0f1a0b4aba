import { createInMemoryDatabase } from 'latchkey/testing';
import { expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';

test('with the in-memory database, the 101st session of an account ends the oldest', async () => {
  const service = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const person = await signUp(service);
  const [second, last] = [service.browser(), service.browser()];
  await logIn(second, person.authenticator);
  for (let session = 3; session <= 100; session += 1) await logIn(service.browser(), person.authenticator);
  expect((await person.browser.get('/auth/sessions')).body.sessions).toHaveLength(100);
  expect((await logIn(last, person.authenticator)).status).toBe(200);
  expect((await person.browser.get('/auth/sessions')).status).toBe(401);
  for (const browser of [second, last])
    expect((await browser.get('/auth/sessions')).body.sessions).toHaveLength(100);
  expectNoLoggedErrors(service);
  await service.close();
});
