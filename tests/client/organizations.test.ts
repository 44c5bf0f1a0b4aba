import { createAuthClient } from 'latchkey/client';
import { expect, test } from 'vitest';
import { fakeService, problem } from './fake-service.ts';

const ateliers = { id: 'o1', name: 'Ateliers', slug: 'ateliers', myRole: 'admin' };
const member = { user: { id: 'u1', username: 'ada' }, role: 'user', joinedAt: '2026-01-02T03:04:05Z' };

test('lists, founds, shows, changes and deletes organizations', async () => {
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
  await expect(organizations.remove('o1')).resolves.toBeUndefined();
  expect(`${service.seen[0]?.query}`).toBe('limit=5');
  expect(service.seen[1]?.body).toEqual({ name: 'Ateliers' });
  expect(service.seen[3]?.body).toEqual({ name: 'Works' });
});

test('passes on that a slug is taken', async () => {
  const { fetch } = fakeService({ 'POST /auth/organizations': problem(409, 'slug_taken') });
  const founding = createAuthClient({ fetch }).organizations.create({ name: 'Ateliers', slug: 'ateliers' });
  await expect(founding).rejects.toMatchObject({ code: 'slug_taken' });
});

test('lists, adds, promotes and removes members', async () => {
  const service = fakeService({
    'GET /auth/organizations/o1/members': { json: { members: [member], nextCursor: 'c2' } },
    'POST /auth/organizations/o1/members': { status: 201, json: { member } },
    'PATCH /auth/organizations/o1/members/u1': { json: { member: { ...member, role: 'admin' } } },
    'DELETE /auth/organizations/o1/members/u1': { status: 204 },
  });
  const { members } = createAuthClient({ fetch: service.fetch }).organizations;
  expect(await members.list('o1', { cursor: 'c1' })).toEqual({ members: [member], nextCursor: 'c2' });
  expect(await members.add('o1', { username: 'ada', role: 'user' })).toEqual(member);
  expect((await members.changeRole('o1', 'u1', 'admin')).role).toBe('admin');
  await expect(members.remove('o1', 'u1')).resolves.toBeUndefined();
  expect(`${service.seen[0]?.query}`).toBe('cursor=c1');
  expect(service.seen[1]?.body).toEqual({ username: 'ada', role: 'user' });
  expect(service.seen[2]?.body).toEqual({ role: 'admin' });
});

test('leaves an organization as whoever is signed in', async () => {
  const service = fakeService({
    'GET /auth/session': { json: { user: { id: 'u9' }, session: { id: 's1' } } },
    'DELETE /auth/organizations/o1/members/u9': [{ status: 204 }, problem(409, 'last_organization_admin')],
  });
  const { organizations } = createAuthClient({ fetch: service.fetch });
  await expect(organizations.leave('o1')).resolves.toBeUndefined();
  await expect(organizations.leave('o1')).rejects.toMatchObject({ code: 'last_organization_admin' });
});

test.each([
  [404, 'not_found'],
  [409, 'already_a_member'],
  [409, 'account_disabled'],
])('passes on why somebody cannot be added: %d %s', async (status, code) => {
  const { fetch } = fakeService({ 'POST /auth/organizations/o1/members': problem(status, code) });
  const adding = createAuthClient({ fetch }).organizations.members.add('o1', { username: 'ada' });
  await expect(adding).rejects.toMatchObject({ code, status });
});
