import { afterEach, expect, test } from 'vitest';
import { signUp, userIdOf } from '../support/person.ts';
import { readGuide } from './support/guide.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/roles.md');
let service: PastedService;
afterEach(() => service.close());

/** Starts the service of a block, with the users ada and bob. Ada is an organization admin of acme. */
async function start(text: string) {
  service = await startPasted({ 'auth.ts': guide.block(text) });
  const ada = await signUp(service, { username: 'ada' });
  const bob = await signUp(service, { username: 'bob' });
  const operator = service.auth.asOperator('ops');
  const acme = await operator.organizations.create({ name: 'Acme', slug: 'acme', admin: 'ada' });
  return { ada, bob, acme, operator };
}

test('members of an organization can read its reports', async () => {
  const { ada, bob, acme } = await start("'report:publish': 'managed'");
  const sent: string[] = [];
  const ask = (userId: string) =>
    runStatements(guide.block('auth.principalOf'), {
      auth: service.auth,
      userId,
      organizationId: acme.id,
      sendReport: (id: string) => sent.push(id),
    });
  await ask(userIdOf(ada));
  await ask(userIdOf(bob));
  expect(sent).toEqual([userIdOf(ada)]);
});

test('a recruiter can invite users to the organization, and cannot invite an editor', async () => {
  const { bob, acme } = await start('organizationRoles');
  const path = `/auth/organizations/${acme.id}/invitations`;
  expect((await bob.browser.post(path, {})).status).toBe(404);
  await runStatements(guide.block('changeMemberRole'), { auth: service.auth });
  expect((await bob.browser.post(path, { role: 'editor' })).body.code).toBe('forbidden');
  expect((await bob.browser.post(path, { role: 'user' })).status).toBe(201);
});

test('an organization admin whose capability is narrowed cannot delete the organization', async () => {
  const { ada, acme, operator } = await start("'organization:delete': false");
  const refused = await ada.browser.delete(`/auth/organizations/${acme.id}`);
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  await operator.users.changeRole('ada', 'admin');
  const principal = await service.auth.principalOf(userIdOf(ada));
  expect(principal && service.auth.can(principal, 'organization:create')).toBe(false);
});
