import { createAuthClient, type TokenStore } from 'latchkey/client';
import { expect, test } from 'vitest';
import { fakeService, problem } from './fake-service.ts';

const signedIn = { user: { id: 'u1' }, session: { id: 's1' } };

function memoryStore(token: string | null = null): TokenStore & { token: string | null } {
  const store = {
    token,
    read: () => store.token,
    write: (next: string | null) => {
      store.token = next;
    },
  };
  return store;
}

test.each([
  [{}, 'same-origin'],
  [{ baseUrl: '/api/auth' }, 'same-origin'],
  [{ baseUrl: 'https://api.example.com/auth' }, 'include'],
  [{ baseUrl: '//api.example.com/auth' }, 'include'],
  [{ baseUrl: 'https://api.example.com/auth', credentials: 'same-origin' }, 'same-origin'],
  [{ credentials: 'include' }, 'include'],
] as const)('with %j, requests have the credentials %s', async (options, credentials) => {
  const routes = ['/auth', '/api/auth'].map((base) => [`GET ${base}/session`, { json: { user: null } }]);
  const service = fakeService(Object.fromEntries(routes));
  expect(await createAuthClient({ ...options, fetch: service.fetch }).session()).toBeNull();
  expect(service.seen[0]?.init.credentials).toBe(credentials);
  expect(service.seen[0]?.init.headers).toEqual({ accept: 'application/json' });
});

test('session() asks for 200 without a session, so that the browser logs no error', async () => {
  const service = fakeService({ 'GET /auth/session': { json: { user: null } } });
  expect(await createAuthClient({ fetch: service.fetch }).session()).toBeNull();
  expect(service.seen[0]?.query.has('optional')).toBe(true);
});

test('with a token store, the client asks for a token, keeps it and sends it without cookies', async () => {
  const service = fakeService({
    'POST /auth/password/login': { json: { ...signedIn, sessionToken: 'first' } },
    'POST /auth/password/stepup': { json: { session: { id: 's1' }, sessionToken: 'second' } },
    'GET /auth/session': { json: { ...signedIn, recoveryLink: null } },
    'DELETE /auth/session': { status: 204 },
  });
  const tokenStore = memoryStore();
  const auth = createAuthClient({ fetch: service.fetch, tokenStore, passkeyUpgrade: false });
  const answer = await auth.signInWithPassword({ username: 'ada', password: 'correct horse' });
  expect([answer, tokenStore.token]).toEqual([signedIn, 'first']);
  await auth.stepUp({ password: 'correct horse' });
  expect(tokenStore.token).toBe('second');
  expect((await auth.session())?.user.id).toBe('u1');
  await auth.signOut();
  expect(tokenStore.token).toBeNull();
  const sent = service.seen.map(({ init }) => [
    init.credentials,
    new Headers(init.headers).get('latchkey-session'),
    new Headers(init.headers).get('authorization'),
  ]);
  expect(sent).toEqual([
    ['omit', 'bearer', null],
    ['omit', 'bearer', 'Bearer first'],
    ['omit', 'bearer', 'Bearer second'],
    ['omit', 'bearer', 'Bearer second'],
  ]);
});

test('the client waits for an asynchronous token store', async () => {
  let token: string | null = 'kept';
  const tokenStore: TokenStore = {
    read: async () => token,
    write: async (next) => {
      token = next;
    },
  };
  const service = fakeService({ 'DELETE /auth/account': { status: 204 } });
  await createAuthClient({ fetch: service.fetch, tokenStore }).deleteAccount();
  expect(new Headers(service.seen[0]?.init.headers).get('authorization')).toBe('Bearer kept');
  expect(token).toBeNull();
});

test.each([
  ['not_authenticated', problem(401, 'not_authenticated'), null],
  ['another error', problem(503, 'unavailable'), 'kept'],
])('after %s, the store contains the token %s', async (_, answer, expected) => {
  const service = fakeService({ 'GET /auth/sessions': answer as ReturnType<typeof problem> });
  const tokenStore = memoryStore('kept');
  await expect(createAuthClient({ fetch: service.fetch, tokenStore }).sessions.list()).rejects.toThrow();
  expect(tokenStore.token).toBe(expected);
});

test('session() removes a token whose session has ended', async () => {
  const service = fakeService({ 'GET /auth/session': { json: { user: null } } });
  const tokenStore = memoryStore('ended');
  expect(await createAuthClient({ fetch: service.fetch, tokenStore }).session()).toBeNull();
  expect(tokenStore.token).toBeNull();
});

test('a late 401 for an earlier token does not remove the new token', async () => {
  const tokenStore = memoryStore('earlier');
  const service = fakeService({ 'GET /auth/sessions': problem(401, 'not_authenticated') });
  const auth = createAuthClient({
    tokenStore,
    fetch: async (...request) => {
      const answer = await service.fetch(...request);
      tokenStore.token = 'new';
      return answer;
    },
  });
  await expect(auth.sessions.list()).rejects.toMatchObject({ code: 'not_authenticated' });
  expect(tokenStore.token).toBe('new');
});

test('the client says what to configure if the service returns no bearer token', async () => {
  const service = fakeService({ 'POST /auth/password/login': { json: signedIn } });
  const auth = createAuthClient({ fetch: service.fetch, tokenStore: memoryStore(), passkeyUpgrade: false });
  await expect(auth.signInWithPassword({ username: 'ada', password: 'correct horse' })).rejects.toMatchObject(
    {
      code: 'invalid_response',
      detail: 'The service returned no bearer token. Set bearerTokens: true in createAuthService.',
    },
  );
});

test('prepareExport throws a TypeError with a token store, because a download carries no token', async () => {
  const auth = createAuthClient({ fetch: fakeService({}).fetch, tokenStore: memoryStore('kept') });
  await expect(auth.audit.prepareExport()).rejects.toThrow(
    new TypeError('prepareExport: not available with tokenStore, because a download has no token'),
  );
});

test('credentials together with a token store are a TypeError', () => {
  expect(() => createAuthClient({ tokenStore: memoryStore(), credentials: 'include' })).toThrow(
    new TypeError('credentials: not allowed together with tokenStore'),
  );
});
