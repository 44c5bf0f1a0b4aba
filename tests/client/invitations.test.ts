import { createAuthClient } from 'latchkey/client';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from './fake-browser.ts';
import { fakeService, problem } from './fake-service.ts';
import { requestOptions } from './options.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const invitation = { id: 'i1', role: 'admin', username: null, status: 'pending' };

test('the client lists invitations by status, page by page', async () => {
  const service = fakeService({
    'GET /auth/admin/invitations': [
      { json: { invitations: [invitation], nextCursor: 'c2' } },
      { json: { invitations: [], nextCursor: null } },
    ],
  });
  const { invitations } = createAuthClient({ fetch: service.fetch });
  const first = await invitations.list({ status: 'pending', limit: 1 });
  expect(first).toEqual({ invitations: [invitation], nextCursor: 'c2' });
  const second = await invitations.list({ status: 'pending', limit: 1, cursor: first.nextCursor });
  expect(second.nextCursor).toBeNull();
  expect(service.seen.map(({ query }) => `${query}`)).toEqual([
    'status=pending&limit=1',
    'status=pending&limit=1&cursor=c2',
  ]);
});

test('the client omits filters that are not given', async () => {
  const service = fakeService({
    'GET /auth/admin/invitations': { json: { invitations: [], nextCursor: null } },
  });
  await createAuthClient({ fetch: service.fetch }).invitations.list({ status: undefined, cursor: null });
  expect(service.seen[0]?.query.size).toBe(0);
});

test('the client creates an invitation and returns its link', async () => {
  const made = { invitation, token: 't0ken', url: 'https://example.org/invitation#token=t0ken' };
  const service = fakeService({ 'POST /auth/admin/invitations': { status: 201, json: made } });
  const { invitations } = createAuthClient({ fetch: service.fetch });
  expect(await invitations.create({ username: 'ada', expiresInHours: 24 })).toEqual(made);
  expect(await invitations.create()).toEqual(made);
  expect(service.seen.map(({ body }) => body)).toEqual([{ username: 'ada', expiresInHours: 24 }, {}]);
});

test('the client steps up and then creates the invitation', async () => {
  fakeBrowser();
  const service = fakeService({
    'POST /auth/admin/invitations': [
      problem(403, 'reauthentication_required'),
      { status: 201, json: { invitation, token: 't', url: 'u' } },
    ],
    'POST /auth/passkey/stepup/start': { json: { options: requestOptions } },
    'POST /auth/passkey/stepup/verify': { json: { session: { id: 's1' } } },
  });
  const made = await createAuthClient({ fetch: service.fetch }).invitations.create();
  expect(made.invitation).toEqual(invitation);
  expect(service.routes().filter((route) => route === 'POST /auth/admin/invitations')).toHaveLength(2);
});

test('the client previews and accepts an invitation with the token only in the body', async () => {
  const service = fakeService({
    'POST /auth/admin/invitations/preview': { json: { invitation } },
    'POST /auth/admin/invitations/accept': { json: { user: { id: 'u1', role: 'admin' }, invitation } },
  });
  const { invitations } = createAuthClient({ fetch: service.fetch });
  expect(await invitations.preview('t0ken')).toEqual(invitation);
  expect((await invitations.accept('t0ken')).user.role).toBe('admin');
  for (const { body, query } of service.seen) {
    expect(body).toEqual({ token: 't0ken' });
    expect(query.size).toBe(0);
  }
});

test.each([
  [404, 'invitation_not_found'],
  [410, 'invitation_unusable'],
  [403, 'invitation_for_another_user'],
  [409, 'role_already_held'],
])('the client reports why an invitation cannot be accepted: %d %s', async (status, code) => {
  const { fetch } = fakeService({ 'POST /auth/admin/invitations/accept': problem(status, code) });
  const accepting = createAuthClient({ fetch }).invitations.accept('t0ken');
  await expect(accepting).rejects.toMatchObject({ code, status });
});

test('the client revokes an invitation', async () => {
  const { fetch } = fakeService({
    'DELETE /auth/admin/invitations/i1': [{ status: 204 }, problem(409, 'invitation_already_accepted')],
  });
  const { invitations } = createAuthClient({ fetch });
  await expect(invitations.revoke('i1')).resolves.toBeUndefined();
  await expect(invitations.revoke('i1')).rejects.toMatchObject({ code: 'invitation_already_accepted' });
});

test('the client reports an invalid response if a new invitation has no link', async () => {
  const { fetch } = fakeService({ 'POST /auth/admin/invitations': { status: 201, json: { invitation } } });
  const making = createAuthClient({ fetch }).invitations.create();
  await expect(making).rejects.toMatchObject({ code: 'invalid_response' });
});
