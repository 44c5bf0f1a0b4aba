import { createInMemoryDatabase } from 'latchkey/testing';
import { expect, test, vi } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';

// The in-memory database needs minutes for the statement on an account with 100 sessions.
vi.mock('../../src/core/bounds.ts', async (importOriginal) => {
  const { bounds } = await importOriginal<typeof import('../../src/core/bounds.ts')>();
  return { bounds: { ...bounds, sessions: 4 } };
});

test('with the in-memory database, an account keeps at most as many sessions as the bound, and the newest stays', async () => {
  const service = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const person = await signUp(service);
  const last = service.browser();
  for (let session = 2; session <= 4; session += 1) await logIn(service.browser(), person.authenticator);
  expect((await person.browser.get('/auth/sessions')).body.sessions).toHaveLength(4);
  expect((await logIn(last, person.authenticator)).status).toBe(200);
  expect((await person.browser.get('/auth/sessions')).status).toBe(401);
  expect((await last.get('/auth/sessions')).body.sessions.length).toBeLessThanOrEqual(4);
  expectNoLoggedErrors(service);
  await service.close();
});
