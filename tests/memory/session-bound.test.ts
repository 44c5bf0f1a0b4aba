import { createInMemoryDatabase } from 'latchkey/testing';
import { expect, test, vi } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';

// The in-memory database needs minutes for the statement on an account with 100 sessions.
vi.mock('../../src/core/bounds.ts', async (importOriginal) => {
  const { bounds } = await importOriginal<typeof import('../../src/core/bounds.ts')>();
  return { bounds: { ...bounds, sessions: 4 } };
});

test('with the in-memory database, an account keeps at most as many sessions as the bound, and the newest stays', async () => {
  let now = Date.now();
  const database = createInMemoryDatabase(() => new Date(now));
  const service = await startServiceOn(database, { migrate: true });
  const person = await signUp(service);
  const logInLater = (browser: TestAgent) => {
    now += 1000;
    return logIn(browser, person.authenticator);
  };
  for (let session = 2; session <= 4; session += 1) await logInLater(service.browser());
  expect((await person.browser.get('/auth/sessions')).body.sessions).toHaveLength(4);
  const last = service.browser();
  expect((await logInLater(last)).status).toBe(200);
  expect((await person.browser.get('/auth/sessions')).status).toBe(401);
  expect((await last.get('/auth/sessions')).body.sessions.length).toBeLessThanOrEqual(4);
  expectNoLoggedErrors(service);
  await service.close();
});
