import { createAuthClient } from 'latchkey/client';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from './fake-browser.ts';
import { fakeService, problem } from './fake-service.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the client sends the username and the password unchanged', async () => {
  const service = fakeService({
    'POST /auth/password/login': { json: { user: { id: 'u1' }, session: { id: 's1', method: 'password' } } },
  });
  const auth = createAuthClient({ fetch: service.fetch });
  const signedIn = await auth.signInWithPassword({ username: 'ada', password: ' two  spaces ' });
  expect(signedIn).toEqual({ user: { id: 'u1' }, session: { id: 's1', method: 'password' } });
  expect(service.seen[0]?.body).toEqual({ username: 'ada', password: ' two  spaces ' });
});

test('the client signs in with a password in a browser without passkeys', async () => {
  fakeBrowser({ secure: false });
  const { fetch } = fakeService({
    'POST /auth/password/login': { json: { user: { id: 'u1' }, session: { id: 's1' } } },
  });
  const signingIn = createAuthClient({ fetch }).signInWithPassword({ username: 'ada', password: 'open' });
  expect((await signingIn).session.id).toBe('s1');
});

test('the client sends no property of its argument except the username and the password', async () => {
  const service = fakeService({ 'POST /auth/password/login': problem(401, 'authentication_failed') });
  const form = { username: 'ada', password: 'open', remember: true };
  const signingIn = createAuthClient({ fetch: service.fetch }).signInWithPassword(form);
  await expect(signingIn).rejects.toMatchObject({ code: 'authentication_failed', status: 401 });
  expect(service.seen[0]?.body).toEqual({ username: 'ada', password: 'open' });
});

test.each([
  [429, 'rate_limited'],
  [503, 'unavailable'],
])('the client reports how long to wait after status %i', async (status, code) => {
  const refused = { ...problem(status, code), headers: { 'retry-after': '30' } };
  const { fetch } = fakeService({ 'POST /auth/password/login': refused });
  const signingIn = createAuthClient({ fetch }).signInWithPassword({ username: 'ada', password: 'open' });
  await expect(signingIn).rejects.toMatchObject({ code, retryAfterSeconds: 30 });
});

test('the client sets a first password and later replaces this password', async () => {
  const service = fakeService({
    'POST /auth/password/add': [
      { status: 201, json: { user: { id: 'u1' } } },
      { status: 200, json: { user: { id: 'u1' } } },
    ],
  });
  const { password } = createAuthClient({ fetch: service.fetch });
  expect(await password.set('correct horse')).toEqual({ id: 'u1' });
  expect(await password.set('battery staple')).toEqual({ id: 'u1' });
  expect(service.seen.map(({ body }) => body)).toEqual([
    { password: 'correct horse' },
    { password: 'battery staple' },
  ]);
});

test.each(['too_short', 'too_long', 'malformed', 'common', 'breached'])(
  'the client reports that a password is %s',
  async (reason) => {
    const { fetch } = fakeService({
      'POST /auth/password/add': problem(400, 'password_unacceptable', { reason }),
    });
    const setting = createAuthClient({ fetch }).password.set('x');
    await expect(setting).rejects.toMatchObject({ code: 'password_unacceptable', reason });
  },
);

test('the client removes the password or reports why the password cannot be removed', async () => {
  const { fetch } = fakeService({
    'DELETE /auth/password/remove': [
      { status: 204 },
      problem(404, 'not_found'),
      problem(409, 'last_credential'),
    ],
  });
  const { password } = createAuthClient({ fetch });
  await expect(password.remove()).resolves.toBeUndefined();
  await expect(password.remove()).rejects.toMatchObject({ code: 'not_found' });
  await expect(password.remove()).rejects.toMatchObject({ code: 'last_credential' });
});
