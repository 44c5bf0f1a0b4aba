import { createAuthClient, type UserFilters } from 'latchkey/client';
import { expect, test } from 'vitest';
import { fakeService, problem } from './fake-service.ts';

const ada = { id: 'u1', username: 'ada', role: 'user', status: 'active' };

test('the client lists users with every filter', async () => {
  const service = fakeService({ 'GET /auth/admin/users': { json: { users: [ada], nextCursor: null } } });
  const { users } = createAuthClient({ fetch: service.fetch });
  const filters: Required<UserFilters> = {
    query: 'a d&a',
    search: 'da',
    role: 'admin',
    status: 'disabled',
    hasPasskey: false,
    signedInBefore: '2026-01-01T00:00:00+01:00',
    organizationId: 'o1',
    sort: 'lastSignIn',
    order: 'desc',
    include: ['details', 'total'],
    limit: 20,
    cursor: 'c1',
  };
  expect(await users.list(filters)).toEqual({ users: [ada], nextCursor: null });
  expect(Object.fromEntries(service.seen[0]?.query ?? [])).toEqual({
    ...filters,
    hasPasskey: 'false',
    include: 'details,total',
    limit: '20',
  });
});

test('the client omits empty filters', async () => {
  const service = fakeService({ 'GET /auth/admin/users': { json: { users: [], nextCursor: null } } });
  await createAuthClient({ fetch: service.fetch }).users.list({ query: '', role: undefined });
  expect(service.seen[0]?.query.size).toBe(0);
});

test('the client does not start a search if its signal is already aborted', async () => {
  const { fetch } = fakeService({});
  const search = createAuthClient({ fetch }).users.list({}, { signal: AbortSignal.abort() });
  await expect(search).rejects.toMatchObject({ code: 'aborted' });
});

test('the client reads one user and escapes the id in the path', async () => {
  const service = fakeService({
    'GET /auth/admin/users/u1': { json: { user: ada } },
    'GET /auth/admin/users/..%2Fsession': problem(404, 'not_found'),
  });
  const { users } = createAuthClient({ fetch: service.fetch });
  expect(await users.get('u1')).toEqual(ada);
  await expect(users.get('../session')).rejects.toMatchObject({ code: 'not_found' });
});

test('the client changes the role or the status and returns the updated user', async () => {
  const service = fakeService({
    'PUT /auth/admin/users/u1/role': { json: { user: { ...ada, role: 'admin' } } },
    'POST /auth/admin/users/u1/disable': { json: { user: { ...ada, status: 'disabled' } } },
    'POST /auth/admin/users/u1/enable': { json: { user: ada } },
  });
  const { users } = createAuthClient({ fetch: service.fetch });
  expect((await users.changeRole('u1', 'admin')).role).toBe('admin');
  expect((await users.disable('u1')).status).toBe('disabled');
  expect((await users.enable('u1')).status).toBe('active');
  expect(service.seen.map(({ body }) => body)).toEqual([{ role: 'admin' }, undefined, undefined]);
});

test('the client creates a recovery link for a user, ends the user’s sessions and deletes the user', async () => {
  const link = { token: 't', url: 'https://example.org/recover#token=t', expiresAt: '2026-01-02T03:04:05Z' };
  const { fetch } = fakeService({
    'POST /auth/admin/users/u1/recovery': { status: 201, json: link },
    'DELETE /auth/admin/users/u1/sessions': { json: { ended: 3 } },
    'DELETE /auth/admin/users/u1/sessions/s%2F1': { status: 204 },
    'DELETE /auth/admin/users/u1': { status: 204 },
  });
  const { users } = createAuthClient({ fetch });
  expect(await users.createRecoveryLink('u1')).toEqual(link);
  expect(await users.endSessions('u1')).toBe(3);
  await expect(users.endSession('u1', 's/1')).resolves.toBeUndefined();
  await expect(users.delete('u1')).resolves.toBeUndefined();
});

test('the client reports that the last superadmin cannot be changed', async () => {
  const refused = problem(409, 'last_superadmin');
  const { fetch } = fakeService({
    'PUT /auth/admin/users/u1/role': refused,
    'POST /auth/admin/users/u1/disable': refused,
    'DELETE /auth/admin/users/u1': refused,
    'DELETE /auth/account': refused,
  });
  const auth = createAuthClient({ fetch });
  const failure = { code: 'last_superadmin', status: 409 };
  await expect(auth.users.changeRole('u1', 'user')).rejects.toMatchObject(failure);
  await expect(auth.users.disable('u1')).rejects.toMatchObject(failure);
  await expect(auth.users.delete('u1')).rejects.toMatchObject(failure);
  await expect(auth.deleteAccount()).rejects.toMatchObject(failure);
});

test('the client deletes the user’s own account', async () => {
  const service = fakeService({ 'DELETE /auth/account': { status: 204 } });
  await expect(createAuthClient({ fetch: service.fetch }).deleteAccount()).resolves.toBeUndefined();
  expect(service.routes()).toEqual(['DELETE /auth/account']);
});
