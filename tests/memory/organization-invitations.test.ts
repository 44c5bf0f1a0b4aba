import { createTestAuthService, type TestAuthService } from 'latchkey/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let kit: TestAuthService;
beforeAll(async () => {
  kit = await createTestAuthService();
});
afterAll(() => kit.close());

interface Invited {
  invitation: { id: string; status: string };
  token: string;
}

async function newOrganization() {
  const organization = await kit.organization();
  const admin = await kit.signedInAs('user', { adminOf: [organization] });
  const grace = await kit.signedInAs('user');
  const path = `/auth/organizations/${organization.id}`;
  const invite = async (input: object) => (await admin.post<Invited>(`${path}/invitations`, input)).body;
  const members = async () =>
    (await admin.get<{ members: { user: { id: string } }[] }>(`${path}/members`)).body.members.map(
      ({ user }) => user.id,
    );
  const statuses = async () =>
    (await admin.get<{ invitations: Invited['invitation'][] }>(`${path}/invitations`)).body.invitations.map(
      ({ status }) => status,
    );
  return { admin, grace, path, invite, members, statuses };
}

test('with the in-memory database, an invited user accepts or declines, and an organization admin revokes', async () => {
  const { admin, grace, path, invite, members, statuses } = await newOrganization();
  const { username } = grace.user;
  const { invitation: declined } = await invite({ username });
  expect((await admin.post(`${path}/invitations`, { username })).body).toMatchObject({
    code: 'already_invited',
  });
  expect((await grace.post(`/auth/invitations/${declined.id}/decline`)).status).toBe(204);
  const { invitation: revoked } = await invite({ username });
  expect((await admin.delete(`${path}/invitations/${revoked.id}`)).status).toBe(204);
  expect((await grace.post(`/auth/invitations/${revoked.id}/accept`)).status).toBe(410);
  expect(await members()).not.toContain(grace.user.id);
  const { invitation } = await invite({ username });
  const received = await grace.get<{ invitations: { id: string }[] }>('/auth/invitations');
  expect(received.body.invitations.map(({ id }) => id)).toEqual([invitation.id]);
  expect((await grace.post(`/auth/invitations/${invitation.id}/accept`)).status).toBe(200);
  expect(await members()).toContain(grace.user.id);
  expect((await statuses()).slice(0, 3)).toEqual(['accepted', 'revoked', 'declined']);
});

test('with the in-memory database, a link can be previewed, can be accepted once, and expires', async () => {
  const { admin, grace, path, invite, members } = await newOrganization();
  const { token } = await invite({});
  expect((await kit.visitor().post('/auth/invitations/preview', { token })).status).toBe(200);
  expect((await grace.post('/auth/invitations/accept', { token })).status).toBe(200);
  expect(await members()).toContain(grace.user.id);
  expect((await grace.post('/auth/invitations/accept', { token })).status).toBe(410);
  const { token: old } = await invite({ expiresInHours: 1 });
  kit.clock.advance({ minutes: 60 });
  expect((await kit.visitor().post('/auth/invitations/preview', { token: old })).status).toBe(410);
  await admin.stepUp();
  const { token: open } = await invite({});
  const leaving = await admin.delete(`${path}/membership`);
  expect(leaving.status).toBe(204);
  expect((await kit.visitor().post('/auth/invitations/preview', { token: open })).status).toBe(410);
});

test('with the in-memory database, an operator adds a member and creates an invitation link', async () => {
  const { slug } = await kit.organization();
  const grace = await kit.signedInAs('user');
  const { organizations } = kit.auth.asOperator('test');
  expect(await organizations.addMember(slug, { username: grace.user.username })).toMatchObject({
    role: 'user',
  });
  const { token } = await organizations.invite(slug);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect((await organizations.listInvitations(slug)).invitations).toHaveLength(1);
  expect((await organizations.list()).organizations.map((one) => one.slug)).toContain(slug);
});
