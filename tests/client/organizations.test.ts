import { createAuthClient } from 'latchkey/client';
import { expect, test } from 'vitest';
import { fakeService, problem } from './fake-service.ts';

const ateliers = { id: 'o1', name: 'Ateliers', slug: 'ateliers', myRole: 'admin' };
const member = {
  user: { id: 'u1', username: 'ada', displayName: 'Ada' },
  role: 'user',
  joinedAt: '2026-01-02T03:04:05Z',
};

test('the client lists, creates, reads, updates and deletes organizations', async () => {
  const service = fakeService({
    'GET /auth/organizations': { json: { organizations: [ateliers], nextCursor: null } },
    'POST /auth/organizations': { status: 201, json: { organization: ateliers } },
    'GET /auth/organizations/o1': { json: { organization: ateliers } },
    'PATCH /auth/organizations/o1': { json: { organization: { ...ateliers, name: 'Works' } } },
    'DELETE /auth/organizations/o1': { status: 204 },
  });
  const { organizations } = createAuthClient({ fetch: service.fetch });
  expect((await organizations.list({ limit: 5 })).organizations).toEqual([ateliers]);
  expect(await organizations.create({ name: 'Ateliers' })).toEqual(ateliers);
  expect(await organizations.get('o1')).toEqual(ateliers);
  expect((await organizations.update('o1', { name: 'Works' })).name).toBe('Works');
  await expect(organizations.delete('o1')).resolves.toBeUndefined();
  expect(`${service.seen[0]?.query}`).toBe('limit=5');
  expect(service.seen[1]?.body).toEqual({ name: 'Ateliers' });
  expect(service.seen[3]?.body).toEqual({ name: 'Works' });
});

test('the client reports that a slug is taken', async () => {
  const { fetch } = fakeService({ 'POST /auth/organizations': problem(409, 'slug_taken') });
  const founding = createAuthClient({ fetch }).organizations.create({ name: 'Ateliers', slug: 'ateliers' });
  await expect(founding).rejects.toMatchObject({ code: 'slug_taken' });
});

test('the client lists, adds, promotes and removes members', async () => {
  const service = fakeService({
    'GET /auth/organizations/o1/members': { json: { members: [member], nextCursor: 'c2' } },
    'POST /auth/organizations/o1/members': { status: 201, json: { member } },
    'PATCH /auth/organizations/o1/members/u1': { json: { member: { ...member, role: 'admin' } } },
    'DELETE /auth/organizations/o1/members/u1': { status: 204 },
  });
  const { members } = createAuthClient({ fetch: service.fetch }).organizations;
  expect(await members.list('o1', { query: 'ad', cursor: 'c1' })).toEqual({
    members: [member],
    nextCursor: 'c2',
  });
  expect(await members.add('o1', { username: 'ada', role: 'user' })).toEqual(member);
  expect((await members.changeRole('o1', 'u1', 'admin')).role).toBe('admin');
  await expect(members.remove('o1', 'u1')).resolves.toBeUndefined();
  expect(`${service.seen[0]?.query}`).toBe('query=ad&cursor=c1');
  expect(service.seen[1]?.body).toEqual({ username: 'ada', role: 'user' });
  expect(service.seen[2]?.body).toEqual({ role: 'admin' });
});

const offer = {
  id: 'i1',
  organization: { id: 'o1', name: 'Ateliers', slug: 'ateliers' },
  role: 'admin',
  username: null,
  status: 'pending',
  createdBy: { id: 'u1', username: 'ada' },
  createdAt: '2026-01-02T03:04:05Z',
  expiresAt: '2026-01-05T03:04:05Z',
  acceptedBy: null,
  acceptedAt: null,
};

test('the client lists, creates and revokes invitations to an organization', async () => {
  const made = { invitation: offer, token: 'secret', url: 'https://example.com/join#token=secret' };
  const named = { invitation: { ...offer, username: 'grace' }, token: null, url: null };
  const service = fakeService({
    'GET /auth/organizations/o1/invitations': { json: { invitations: [offer], nextCursor: null } },
    'POST /auth/organizations/o1/invitations': [
      { status: 201, json: made },
      { status: 201, json: named },
    ],
    'DELETE /auth/organizations/o1/invitations/i1': { status: 204 },
  });
  const { invitations } = createAuthClient({ fetch: service.fetch }).organizations;
  expect((await invitations.list('o1', { status: 'pending', limit: 5 })).invitations).toEqual([offer]);
  expect(await invitations.create('o1')).toEqual(made);
  expect(await invitations.create('o1', { username: 'grace', role: 'admin', expiresInHours: 1 })).toEqual(
    named,
  );
  await expect(invitations.revoke('o1', 'i1')).resolves.toBeUndefined();
  expect(`${service.seen[0]?.query}`).toBe('status=pending&limit=5');
  expect(service.seen[1]?.body).toEqual({});
  expect(service.seen[2]?.body).toEqual({ username: 'grace', role: 'admin', expiresInHours: 1 });
});

test('the client lists, accepts and declines received invitations', async () => {
  const joined = { organization: ateliers, invitation: { ...offer, status: 'accepted' } };
  const service = fakeService({
    'GET /auth/invitations': { json: { invitations: [offer], nextCursor: 'c2' } },
    'POST /auth/invitations/i1/accept': { json: joined },
    'POST /auth/invitations/i1/decline': { status: 204 },
  });
  const { invitations } = createAuthClient({ fetch: service.fetch }).organizations;
  expect(await invitations.received({ cursor: 'c1' })).toEqual({ invitations: [offer], nextCursor: 'c2' });
  expect(await invitations.accept('i1')).toEqual(joined);
  await expect(invitations.decline('i1')).resolves.toBeUndefined();
  expect(`${service.seen[0]?.query}`).toBe('cursor=c1');
});

test('the client previews and accepts an invitation link with the token only in the body', async () => {
  const { role, createdBy, expiresAt } = offer;
  const preview = { organization: { name: 'Ateliers' }, role, createdBy, expiresAt };
  const joined = { organization: ateliers, invitation: { ...offer, status: 'accepted' } };
  const service = fakeService({
    'POST /auth/invitations/preview': { json: { invitation: preview } },
    'POST /auth/invitations/accept': { json: joined },
  });
  const { invitations } = createAuthClient({ fetch: service.fetch }).organizations;
  expect(await invitations.preview('secret')).toEqual(preview);
  expect(await invitations.acceptLink('secret')).toEqual(joined);
  expect(service.seen.map(({ body }) => body)).toEqual([{ token: 'secret' }, { token: 'secret' }]);
});

test.each([
  [404, 'not_found'],
  [409, 'account_disabled'],
  [409, 'already_a_member'],
  [409, 'already_invited'],
  [409, 'too_many_invitations'],
])('the client reports why a user cannot be invited: %d %s', async (status, code) => {
  const { fetch } = fakeService({ 'POST /auth/organizations/o1/invitations': problem(status, code) });
  const inviting = createAuthClient({ fetch }).organizations.invitations.create('o1', { username: 'ada' });
  await expect(inviting).rejects.toMatchObject({ code, status });
});

test.each([
  [404, 'invitation_not_found'],
  [409, 'already_a_member'],
  [410, 'invitation_unusable'],
])('the client reports why an invitation cannot be accepted: %d %s', async (status, code) => {
  const { fetch } = fakeService({ 'POST /auth/invitations/i1/accept': problem(status, code) });
  const accepting = createAuthClient({ fetch }).organizations.invitations.accept('i1');
  await expect(accepting).rejects.toMatchObject({ code, status });
});

test('the client leaves an organization', async () => {
  const service = fakeService({
    'DELETE /auth/organizations/o1/membership': [{ status: 204 }, problem(409, 'last_organization_admin')],
  });
  const { organizations } = createAuthClient({ fetch: service.fetch });
  await expect(organizations.leave('o1')).resolves.toBeUndefined();
  await expect(organizations.leave('o1')).rejects.toMatchObject({ code: 'last_organization_admin' });
});

test.each([
  [404, 'not_found'],
  [409, 'already_a_member'],
  [409, 'account_disabled'],
])('the client reports why a user cannot be added: %d %s', async (status, code) => {
  const { fetch } = fakeService({ 'POST /auth/organizations/o1/members': problem(status, code) });
  const adding = createAuthClient({ fetch }).organizations.members.add('o1', { username: 'ada' });
  await expect(adding).rejects.toMatchObject({ code, status });
});
