import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { origin } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { openPage, usePages } from './support/page.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/organizations.md');
usePages();
let service: PastedService;
const page = () => openPage(service);
beforeAll(async () => {
  service = await startPasted({ 'auth.ts': guide.block("createdBy: 'user'") });
});
afterAll(() => service.close());

test('a user creates an organization, invites a member, searches members and shows a switcher', async () => {
  const [adas, bobs] = [page(), page()];
  const [ada, bob] = [adas.createAuthClient(), bobs.createAuthClient()];
  await ada.signUp({ username: 'ada' });
  await bob.signUp({ username: 'bob' });
  const create = `${guide.block('auth.organizations.create(')}\nreturn engines;`;
  const engines = (await runStatements(create, { auth: ada })) as { id: string };
  const [invitation] = (await bob.organizations.invitations.received()).invitations;
  await bob.organizations.invitations.accept(`${invitation?.id}`);

  const search = `${guide.block("query: 'ad'")}\nreturn members;`;
  expect(await runStatements(search, { auth: bob, id: engines.id })).toMatchObject([
    { user: { username: 'ada' }, role: 'admin' },
  ]);
  const switcher = `${guide.block('// in the browser')}\nreturn current?.organizations;`;
  const shown = [{ id: engines.id, slug: 'engines', name: 'Engines', role: 'user' }];
  expect(await runStatements(switcher, { auth: bob })).toEqual(shown);
  const request = { headers: { ...cookieHeader(bobs.browser), origin }, method: 'GET' };
  const onServer = `${guide.block('// on the server')}\nreturn read?.organizations;`;
  expect(await runStatements(onServer, { auth: service.auth, request })).toEqual(shown);

  for (const name of ['Second', 'Third']) await ada.organizations.create({ name });
  await expect(ada.organizations.create({ name: 'Fourth' })).rejects.toMatchObject({
    code: 'too_many_organizations',
    reason: 'too_many_created',
  });
});

test('an operator creates, changes and deletes an organization in code', async () => {
  await service.auth.asOperator('ops').organizations.delete('engines');
  await runStatements(guide.block("auth.asOperator('billing')"), { auth: service.auth });
  const { events } = await service.auth.asOperator('ops').audit.list();
  const ofBilling = events.filter(({ actor }) => actor.name === 'billing').map(({ event }) => event);
  expect(ofBilling.sort()).toEqual([
    'member.add', // the organization admin
    'member.add',
    'member.change_role',
    'member.remove',
    'organization.create',
    'organization.delete',
    'organization.update',
  ]);
});
