import type { AuditEvent } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, signUp, userIdOf } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';

let service: ServiceOn;
beforeEach(async () => {
  service = await startServiceOn(createInMemoryDatabase(), { migrate: true });
});
afterEach(async () => {
  await service.close();
  expectNoLoggedErrors(service);
});

test('with the in-memory database, users see refused attempts with their passkeys, but not their own refused requests', async () => {
  const ada = await signUp(service);
  const tamper = { clientData: { origin: 'https://evil.example' } };
  await logIn(service.browser(), ada.authenticator, { tamper });
  const { id } = await service.auth
    .asOperator('ops')
    .organizations.create({ name: 'Engines', slug: 'engines' });
  expect((await ada.browser.patch(`/auth/organizations/${id}`, { name: 'Mine' })).status).toBe(404);
  const { events } = (await ada.browser.get('/auth/account/events')).body;
  expect(events.map(({ event, outcome }: AuditEvent) => [event, outcome])).toEqual([
    ['passkey.login', 'failure'],
    ['account.signup', 'success'],
  ]);
  expect(events[0].target).toEqual({ type: 'user', id: userIdOf(ada), name: ada.username });
});
