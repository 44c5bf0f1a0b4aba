import type { AuthClient } from 'latchkey/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGuide } from './support/guide.ts';
import { openPage, type Page, usePages } from './support/page.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/invitations.md');
usePages();
let service: PastedService;
beforeAll(async () => {
  service = await startPasted({ 'auth.ts': guide.block('organizationInvitations: true') });
});
afterAll(() => service.close());

/** Opens a page of a new user, whom an operator has given the role. */
async function pageOf(username: string, role: 'user' | 'admin' | 'superadmin'): Promise<AuthClient> {
  const { users, invitations } = service.auth.asOperator('ops');
  const { token } = await invitations.create({ role: 'user' });
  const auth = openPage(service).createAuthClient();
  await auth.signUp({ username, invitation: token });
  if (role === 'user') return auth;
  await users.changeRole(username, role);
  await auth.signIn();
  return auth;
}

/** Runs the page of an invitation. */
const openLink = (url: string, chosenUsername: string, { createAuthClient }: Page = openPage(service)) => {
  const auth = createAuthClient();
  const values = { auth, chosenUsername, location: new URL(url) };
  return runStatements(guide.block('await auth.invitations.preview'), values).then(() => auth);
};
const roleOf = async (auth: AuthClient) => (await auth.session())?.user.role;

test('the user invitations of a superadmin and of an operator give the role user', async () => {
  const greta = await pageOf('greta', 'superadmin');
  const sent: string[] = [];
  await pageOf('ada', 'user');
  await runStatements(guide.block('auth.userInvitations.create'), {
    auth: greta,
    send: (url: string) => sent.push(url),
  });
  const [forAda = '', forAnyone = ''] = sent;
  await expect(openLink(forAda, 'mallory')).rejects.toMatchObject({ code: 'username_taken' });
  expect(await roleOf(await openLink(forAnyone, 'grace'))).toBe('user');
  await expect(openLink(forAnyone, 'eve')).rejects.toMatchObject({ code: 'invitation_unusable' });

  const code = `${guide.block('const { invitations } = auth.asOperator')}\nreturn url;`;
  const link = (await runStatements(code, { auth: service.auth })) as string;
  expect(await roleOf(await openLink(link, 'linus'))).toBe('user');
});

test('a signed-in user accepts an admin invitation on the page of the link', async () => {
  const page = openPage(service);
  await openLink(
    (await service.auth.asOperator('ops').invitations.create({ role: 'user' })).url,
    'joan',
    page,
  );
  const { url } = await service.auth.asOperator('ops').invitations.create({ username: 'joan' });
  expect(await roleOf(await openLink(url, 'unused', page))).toBe('admin');
});

test('members are invited with a link and by username', async () => {
  const ada = await pageOf('ida', 'user');
  const bob = await pageOf('bob', 'user');
  const { organizations } = service.auth.asOperator('ops');
  const engines = await organizations.create({ name: 'Engines', slug: 'engines', admin: 'ida' });
  const code = `${guide.block("{ username: 'bob' }")}\nreturn url;`;
  const url = (await runStatements(code, { auth: ada, engines })) as string;
  await runStatements(guide.block('invitations.received()'), { auth: bob });

  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  const carol = openPage(service).createAuthClient();
  await runStatements(guide.block('canSignUp'), { auth: carol, token });
  const { members } = await organizations.listMembers('engines');
  expect(members.map(({ user }) => user.username).sort()).toEqual(['bob', 'carol', 'ida']);
});

test('a user becomes a member with the button on the page of a link', async () => {
  const edith = await pageOf('edith', 'user');
  const { organizations } = service.auth.asOperator('ops');
  await organizations.create({ name: 'Looms', slug: 'looms' });
  const { url } = await organizations.invite('looms', { role: 'user' });
  const shown: string[] = [];
  const joinButton: { onclick?: () => Promise<unknown> } = {};
  await runStatements(guide.block('acceptLink'), {
    auth: edith,
    joinButton,
    location: new URL(`${url}`),
    showInvitation: (...texts: string[]) => shown.push(...texts),
  });
  expect(shown).toEqual(['Looms', 'user']);
  expect((await organizations.listMembers('looms')).members).toEqual([]);
  await joinButton.onclick?.();
  const { members } = await organizations.listMembers('looms');
  expect(members.map(({ user }) => user.username)).toEqual(['edith']);
});
