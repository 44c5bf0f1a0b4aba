import { AuthClientError, createAuthClient } from 'latchkey/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeService, problem } from './fake-service.ts';

test('to check whether a username is available, the client sends the username in the query of a request', async () => {
  const service = fakeService({
    'GET /auth/username/availability': { json: { username: 'ada&co', available: false, reason: 'invalid' } },
  });
  const answer = await createAuthClient({ fetch: service.fetch }).usernameAvailability('Ada&co');
  expect(answer).toEqual({ username: 'ada&co', available: false, reason: 'invalid' });
  const [request] = service.seen;
  expect(request?.query.get('username')).toBe('Ada&co');
  expect(request?.init.credentials).toBe('same-origin');
  expect(request?.init.body).toBeUndefined();
  expect(request?.init.headers).not.toHaveProperty('content-type');
});

test('the client sends the content type application/json if a request has a body', async () => {
  const service = fakeService({ 'PATCH /auth/passkey/devices/p1': { json: { device: { id: 'p1' } } } });
  await createAuthClient({ fetch: service.fetch }).passkeys.rename('p1', 'Laptop');
  expect(service.seen[0]?.body).toEqual({ label: 'Laptop' });
  expect(service.seen[0]?.init.headers).toHaveProperty('content-type', 'application/json');
});

test('the client accepts a baseUrl with or without a trailing slash', async () => {
  const service = fakeService({ 'GET /api/auth/sessions': { json: { sessions: [] } } });
  for (const baseUrl of ['/api/auth', '/api/auth/']) {
    expect(await createAuthClient({ baseUrl, fetch: service.fetch }).sessions.list()).toEqual([]);
  }
});

test('the client returns only the list or the count from the JSON object of a response', async () => {
  const { fetch } = fakeService({
    'GET /auth/passkey/devices': { json: { devices: [{ id: 'p1' }] } },
    'GET /auth/sessions': { json: { sessions: [{ id: 's1' }] } },
    'DELETE /auth/sessions': { json: { ended: 3 } },
  });
  const auth = createAuthClient({ fetch });
  expect(await auth.passkeys.list()).toEqual([{ id: 'p1' }]);
  expect(await auth.sessions.list()).toEqual([{ id: 's1' }]);
  expect(await auth.sessions.endOthers()).toBe(3);
});

test('the client accepts an empty response if it expects no data', async () => {
  const { fetch } = fakeService({
    'DELETE /auth/session': { status: 204 },
    'DELETE /auth/sessions/s1': { status: 204 },
    'DELETE /auth/passkey/devices/p1': { status: 204 },
  });
  const auth = createAuthClient({ fetch });
  await expect(auth.signOut()).resolves.toBeUndefined();
  await expect(auth.sessions.end('s1')).resolves.toBeUndefined();
  await expect(auth.passkeys.remove('p1')).resolves.toBeUndefined();
});

test('the client encodes an id, so the id stays inside one path segment', async () => {
  const service = fakeService({ 'DELETE /auth/sessions/..%2Fsession': { status: 204 } });
  await createAuthClient({ fetch: service.fetch }).sessions.end('../session');
  expect(service.routes()).toEqual(['DELETE /auth/sessions/..%2Fsession']);
});

test('the client returns the user, the session and the recovery link, or null without a session', async () => {
  const { fetch } = fakeService({
    'GET /auth/session': [
      problem(401, 'not_authenticated'),
      { json: { user: { id: 'u1' }, session: { id: 's1' }, recoveryLink: null } },
    ],
  });
  const auth = createAuthClient({ fetch });
  expect(await auth.session()).toBeNull();
  expect(await auth.session()).toEqual({ user: { id: 'u1' }, session: { id: 's1' }, recoveryLink: null });
});

test('the client returns the organizations of the user with `include`', async () => {
  const own = [{ id: 'o1', slug: 'engines', name: 'Engines', role: 'admin' }];
  const current = { user: { id: 'u1' }, session: { id: 's1' }, recoveryLink: null };
  const service = fakeService({
    'GET /auth/session': [
      { json: { ...current, organizations: own } },
      { json: { user: null } },
      { json: current },
    ],
  });
  const auth = createAuthClient({ fetch: service.fetch });
  const include = ['organizations'] as const;
  expect((await auth.session({ include }))?.organizations).toEqual(own);
  expect(`${service.seen[0]?.query}`).toBe('optional=&include=organizations');
  expect(await auth.session({ include })).toBeNull();
  // A service of an earlier version ignores `include`.
  await expect(auth.session({ include })).rejects.toMatchObject({ code: 'invalid_response' });
});

test('the client turns problem details into an error with the same properties', async () => {
  const errors = [{ path: 'label', message: 'too long' }];
  const answer = problem(400, 'invalid_request', { detail: 'Look here.', reason: 'length', errors });
  const { fetch } = fakeService({ 'PATCH /auth/passkey/devices/p1': answer });
  const failure = createAuthClient({ fetch }).passkeys.rename('p1', 'x');
  await expect(failure).rejects.toBeInstanceOf(AuthClientError);
  await expect(failure).rejects.toMatchObject({
    code: 'invalid_request',
    title: 'Title of invalid_request',
    message: 'Look here.',
    status: 400,
    detail: 'Look here.',
    reason: 'length',
    errors,
  });
});

test('the client reads Retry-After in seconds and as a date', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const inAMinute = new Date(Date.UTC(2030, 0, 1, 0, 1)).toUTCString();
  const anHourAgo = new Date(Date.UTC(2029, 11, 31, 23)).toUTCString();
  const limited = (value: string) => ({ ...problem(429, 'rate_limited'), headers: { 'retry-after': value } });
  const { fetch } = fakeService({
    'GET /auth/sessions': [limited('7'), limited(inAMinute), limited(anHourAgo), limited('soon')],
  });
  const wait = async () => {
    const failure: unknown = await createAuthClient({ fetch })
      .sessions.list()
      .catch((error: unknown) => error);
    return failure instanceof AuthClientError ? failure.retryAfterSeconds : failure;
  };
  expect(await wait()).toBe(7);
  expect(await wait()).toBe(60);
  expect(await wait()).toBe(0);
  expect(await wait()).toBeUndefined();
});

test.each([
  ['an HTML page of a proxy', { status: 502, text: '<h1>Bad gateway</h1>' }, 502],
  ['an error without a code', { status: 500, json: { message: 'no' } }, 500],
  ['a successful response without JSON', { text: 'hello' }, 200],
  ['a successful response without the expected property', { json: {} }, undefined],
  ['an empty successful response', {}, undefined],
])('the client reports the code invalid_response for %s', async (_, answer, status) => {
  const { fetch } = fakeService({ 'GET /auth/sessions': answer });
  const failure = createAuthClient({ fetch }).sessions.list();
  await expect(failure).rejects.toMatchObject({ name: 'AuthClientError', code: 'invalid_response', status });
});

test('the client reports an unreachable service and an aborted request with different codes', async () => {
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(createAuthClient({ fetch }).sessions.list()).rejects.toMatchObject({ code: 'network_error' });
  const { fetch: reachable } = fakeService({});
  const asking = createAuthClient({ fetch: reachable }).usernameAvailability('ada', {
    signal: AbortSignal.abort(),
  });
  await expect(asking).rejects.toMatchObject({ code: 'aborted' });
});
