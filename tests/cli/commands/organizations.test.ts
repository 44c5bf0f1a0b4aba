import { afterAll, beforeAll, expect, test } from 'vitest';
import { found, signUpAs } from '../../features/support/authority.ts';
import { signUp } from '../../support/person.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { commandsOn, expectNoStack, jsonOn } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

let service: TestService;
let slug: string;
const latchkey = commandsOn(() => service.database);
const json = jsonOn(() => service.database);
beforeAll(async () => {
  service = await startTestService();
  const { browser } = await signUpAs(service, 'admin');
  ({ slug } = await found(browser, { name: 'Engines' }));
});
afterAll(() => service.close());

test('`latchkey organizations list` prints each organization with its slug', async () => {
  const { exitCode, stdout } = await latchkey('organizations list');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^SLUG +CREATED \(UTC\) +NAME$/m);
  expect(stdout).toMatch(new RegExp(`^${slug} +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +Engines$`, 'm'));
  expect((await json('organizations list')).organizations).toMatchObject([{ slug, myRole: null }]);
});

test('`latchkey organizations invite` prints a link, and `list-invitations` names the user who accepted', async () => {
  const { exitCode, stdout, stderr } = await latchkey(`organizations invite ${slug} --role admin`);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('shown only once')]);
  expect(stdout).toMatch(/^For +anyone with the link$/m);
  const [, token] = /^Link +http:\/\/localhost:3000\/join#token=(\S+)$/m.exec(stdout) ?? [];
  const user = await signUp(service);
  const { body } = await user.browser.post('/auth/invitations/accept', { token });
  expect(body.organization).toMatchObject({ slug, myRole: 'admin' });
  const list = await latchkey(`organizations list-invitations ${slug} --status accepted`);
  expect(list.stdout).toMatch(
    new RegExp(`accepted +admin +anyone with the link +an operator +${user.username} `),
  );
  expect(await eventsOf(service.database, 'organization_invitation.create')).toMatchObject([
    { actor_type: 'operator', actor_name: operator },
  ]);
});

test('`latchkey organizations invite --username` invites one user, who becomes a member only by accepting', async () => {
  const user = await signUp(service);
  const { stdout, stderr } = await latchkey(
    `organizations invite ${slug} --username ${user.username} --hours 5`,
  );
  expect(stdout).not.toContain('Link');
  expect(stderr).toContain(`${user.username} can accept or decline the invitation after signing in.`);
  expect((await user.browser.get('/auth/organizations')).body.organizations).toEqual([]);
  const { invitations } = (await user.browser.get('/auth/invitations')).body;
  expect(invitations).toMatchObject([{ organization: { slug }, createdBy: null }]);
  expect((await user.browser.post(`/auth/invitations/${invitations[0].id}/accept`)).status).toBe(200);
});

test('`latchkey organizations revoke-invitation` makes an invitation unusable', async () => {
  const { invitation, token } = await json(`organizations invite ${slug}`);
  expect(await latchkey(`organizations revoke-invitation ${slug} ${invitation.id} --yes`)).toMatchObject({
    exitCode: 0,
    stdout: 'Revoked the invitation.\n',
  });
  const { browser } = await signUp(service);
  expect((await browser.post('/auth/invitations/accept', { token })).body.code).toBe('invitation_unusable');
});

test('`latchkey organizations add-member` adds a user without an invitation and records the operator', async () => {
  const user = await signUp(service);
  expect(await latchkey(`organizations add-member ${slug} ${user.username} --yes`)).toMatchObject({
    exitCode: 0,
    stdout: `${user.username} is a member of ${slug} with the role user.\n`,
  });
  expect(await eventsOf(service.database, 'member.add')).toMatchObject([
    { actor_name: operator, target_name: user.username },
  ]);
});

test.each([
  ['organizations invite', 2],
  ['organizations invite nothing-here', 3],
  ['organizations invite nothing-here --hours 0', 2],
  ['organizations invite nothing-here --role owner', 2],
  ['organizations add-member nothing-here no-such-user', 2],
])('`latchkey %s` exits with %i and prints an error', async (words, exitCode) => {
  const ended = await latchkey(words);
  expect(ended).toMatchObject({ exitCode, stdout: '' });
  expect(ended.stderr).toMatch(/^error: /);
  expectNoStack(ended);
});

test('`latchkey users cancel-recovery-link` cancels the link and ends the recovery session of the link', async () => {
  const user = await signUp(service);
  const { token } = await json(`users create-recovery-link ${user.username}`);
  const browser = service.browser();
  expect((await browser.post('/auth/recovery/assisted/use', { token })).status).toBe(200);
  const shown = await latchkey(`users get ${user.username}`);
  expect(shown.stdout).toMatch(/^Recovery link +created by an operator, in use since /m);
  expect((await latchkey(`users cancel-recovery-link ${user.username}`)).exitCode).toBe(0);
  expect((await browser.get('/auth/session')).status).toBe(401);
  expect((await latchkey(`users get ${user.username}`)).stdout).toMatch(/^Recovery link +none$/m);
  expect((await latchkey(`users cancel-recovery-link ${user.username}`)).exitCode).toBe(3);
});
