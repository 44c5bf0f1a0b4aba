import { createInMemoryDatabase } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, logIn, newAuthenticator, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { codesPath, createLink, generateCodes, revokeCodes, useCode, useLink } from './support/recovery.ts';

let now: number;
let service: ServiceOn;
const turnClock = ({ minutes }: { minutes: number }) => {
  now += minutes * 60_000;
};
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  const clock = () => new Date(now);
  service = await startServiceOn(createInMemoryDatabase(clock), {
    migrate: true,
    clock,
    recoveryCodeExpiry: 1,
  });
});
afterEach(async () => {
  await service.close();
  expectNoLoggedErrors(service);
});

test('codes are made, counted, used once, replaced, revoked, and expire', async () => {
  const person = await signUp(service);
  const first = await generateCodes(person.browser);
  expect(first).toHaveLength(10);
  expect((await person.browser.get(codesPath)).body).toEqual({
    total: 10,
    remaining: 10,
    generatedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
  });
  expect((await useCode(service.browser(), person, first[0]?.toLowerCase())).status).toBe(200);
  expectProblem(await useCode(service.browser(), person, first[0]), 'authentication_failed');
  expect((await person.browser.get('/auth/session')).body.user.recoveryCodesRemaining).toBe(9);

  const second = await generateCodes(person.browser);
  expectProblem(await useCode(service.browser(), person, first[1]), 'authentication_failed');
  expect((await useCode(service.browser(), person, second[1])).status).toBe(200);
  expect((await revokeCodes(person.browser)).status).toBe(204);
  expectProblem(await useCode(service.browser(), person, second[2]), 'authentication_failed');

  const [third] = await generateCodes(person.browser);
  turnClock({ minutes: 24 * 60 });
  expectProblem(await useCode(service.browser(), person, third), 'authentication_failed');
});

test('a code leads to a new passkey, and every other session ends', async () => {
  const person = await signUp(service);
  const stranger = await signUp(service);
  const [code] = await generateCodes(person.browser);
  const browser = service.browser();
  expect((await useCode(browser, person, code)).body.session).toMatchObject({
    kind: 'recovery',
    method: 'recovery_code',
    expiresAt: '2026-01-01T01:00:00.000Z',
  });
  expectProblem(await browser.get('/auth/sessions'), 'recovery_session');
  const before = browser.copy();
  const authenticator = newAuthenticator();
  expect((await addPasskey(browser, authenticator)).status).toBe(201);
  expect((await browser.get('/auth/session')).body.session.kind).toBe('full');
  for (const ended of [before, person.browser]) {
    expectProblem(await ended.get('/auth/session'), 'not_authenticated');
  }
  expect((await stranger.browser.get('/auth/session')).status).toBe(200);
  expect((await logIn(service.browser(), authenticator)).status).toBe(200);
});

test('a link serves once, for an hour, in place of an earlier one', async () => {
  const person = await signUp(service);
  const earlier = await createLink(service, person);
  const { token } = await createLink(service, person);
  expectProblem(await useLink(service.browser(), earlier.token), 'authentication_failed');
  const browser = service.browser();
  expect((await useLink(browser, token)).body.session).toMatchObject({ method: 'assisted_recovery' });
  expectProblem(await useLink(service.browser(), token), 'authentication_failed');
  const expired = await createLink(service, person);
  turnClock({ minutes: 60 });
  expectProblem(await useLink(service.browser(), expired.token), 'authentication_failed');
  const voided = await createLink(service, person);
  const last = await createLink(service, await signUp(service));
  const again = service.browser();
  await useLink(again, voided.token);
  expect((await addPasskey(again)).status).toBe(201);
  expect((await useLink(service.browser(), last.token)).status).toBe(200);
});
