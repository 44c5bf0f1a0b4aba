import { afterAll, beforeAll, expect, test } from 'vitest';
import { preview } from '../../features/support/invitations.ts';
import { signUpWith } from '../../features/support/sign-ups.ts';
import { signUp } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, type Ended, expectNoStack, fourAtOnce, jsonOn } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

let database: TestDatabase;
let service: ServiceOn;
const latchkey = commandsOn(() => database);
const json = jsonOn(() => database);
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const hour = 3_600_000;
const idIn = (stdout: string) => /^ID +(\S+)$/m.exec(stdout)?.[1] ?? '';

test('`latchkey invitations list` says how to create the first invitation', async () => {
  expect(await latchkey('invitations list')).toMatchObject({
    exitCode: 0,
    stdout: 'No invitations. Create one with `latchkey invitations create`.\n',
    stderr: '',
  });
  expect(await json('invitations list')).toEqual({ invitations: [], nextCursor: null });
});

test('`latchkey invitations create` prints an invitation link, and a user who accepts becomes an admin', async () => {
  const { exitCode, stdout, stderr } = await latchkey('invitations create');
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('shown only once')]);
  expect(stdout).toMatch(/^For +anyone with the link$/m);
  const [, token] = /^Link +http:\/\/localhost:3000\/invitation#token=(\S+)$/m.exec(stdout) ?? [];
  const id = idIn(stdout);
  expect(await eventsOf(database, 'invitation.create')).toMatchObject([
    { actor_type: 'operator', actor_name: operator, target_id: id },
  ]);
  const before = await latchkey('invitations list');
  expect(before.stdout.split('\n')[0]).toMatch(
    /^ID +STATUS +ROLE +FOR +INVITED BY +ACCEPTED BY +EXPIRES \(UTC\)$/,
  );
  expect(before.stdout).toMatch(
    new RegExp(`^${id} +pending +admin +anyone with the link +an operator +– +\\d{4}-`, 'm'),
  );
  expect(before.stdout).not.toContain(`${token}`);

  const person = await signUp(service);
  expect((await person.browser.post('/auth/admin/invitations/accept', { token })).status).toBe(200);
  const after = await latchkey('invitations list --status accepted');
  expect(after.stdout).toMatch(
    new RegExp(`^${id} +accepted +admin +anyone with the link +an operator +${person.username} `, 'm'),
  );
  expect((await person.browser.get('/auth/session')).body.user.role).toBe('admin');
});

test('`latchkey invitations create --role user` prints a link with which a user signs up', async () => {
  const { stdout, stderr } = await latchkey('invitations create --role user');
  expect(stdout).toMatch(/^Role +user$/m);
  expect(stderr).toContain('The user opens it and signs up.');
  const [, token] = /#token=(\S+)$/m.exec(stdout) ?? [];
  const person = await signUpWith(service, { invitation: `${token}` });
  expect(person.signedUp.body.user.role).toBe('user');
  const { invitations } = await json('invitations list --role user');
  expect(invitations).toMatchObject([{ role: 'user', acceptedBy: { username: person.username } }]);
  const refused = await latchkey('invitations create --role superadmin');
  expect(refused.exitCode).toBe(2);
});

test('an invitation expires after 72 hours, or after the hours that --hours specifies', async () => {
  const { invitation, token, url } = await json('invitations create --username grace --hours 5');
  expect(url).toBe(`http://localhost:3000/invitation#token=${token}`);
  expect(invitation).toMatchObject({ username: 'grace', status: 'pending', role: 'admin' });
  const lifetimeOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
    Date.parse(expiresAt) - Date.parse(createdAt);
  expect(lifetimeOf(invitation)).toBe(5 * hour);
  expect(lifetimeOf((await json('invitations create')).invitation)).toBe(72 * hour);
});

test('`latchkey invitations revoke` makes the link unusable and is recorded', async () => {
  const { invitation, token } = await json('invitations create');
  const { exitCode, stdout } = await latchkey(`invitations revoke ${invitation.id} --yes`);
  expect([exitCode, stdout]).toEqual([0, 'Revoked the invitation.\n']);
  expect((await preview(service.browser(), token)).status).toBe(410);
  expect(await eventsOf(database, 'invitation.revoke')).toMatchObject([
    { actor_name: operator, target_id: invitation.id },
  ]);
  const { invitations } = await json('invitations list --status revoked');
  expect(invitations).toMatchObject([{ id: invitation.id, status: 'revoked' }]);
  const another = idIn((await latchkey('invitations create')).stdout);
  expect(await json(`invitations revoke ${another} -y`)).toEqual({ revoked: another });
});

test('without a terminal, `latchkey invitations revoke` needs --yes', async () => {
  const { invitation } = await json('invitations create');
  const ended = await latchkey(`invitations revoke ${invitation.id}`);
  expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toBe(`error: Revoke invitation ${invitation.id}? Add --yes to confirm.\n`);
  const { invitations } = await json('invitations list --status pending --limit 200');
  expect(invitations).toContainEqual(expect.objectContaining({ id: invitation.id }));
});

test('`latchkey invitations revoke` rejects an unknown ID, a malformed ID and an accepted invitation', async () => {
  const { invitation, token } = await json('invitations create');
  const person = await signUp(service);
  await person.browser.post('/auth/admin/invitations/accept', { token });
  const accepted = await latchkey(`invitations revoke ${invitation.id} --yes`);
  expect(accepted).toMatchObject({ exitCode: 3, stdout: '' });
  expect(accepted.stderr).toContain('latchkey users change-role <username> user');
  for (const id of ['0199aa00-0000-7000-8000-000000000000', 'not-an-id']) {
    const ended = await latchkey(`invitations revoke ${id} --yes`);
    expect([ended.exitCode, ended.stdout]).toEqual([3, '']);
    expect(ended.stderr).toMatch(/^error: Invitation not found|^error: Not found/);
    expectNoStack(ended);
  }
});

test('invalid option values are rejected with exit code 2, and the error names the expected value', async () => {
  const hours = '--hours: expected a whole number from 1 to 720';
  const limit = '--limit: expected a whole number from 1 to 200';
  const expected: Record<string, string> = {
    'create --hours 0': `${hours}, not 0.`,
    'create --hours 721': `${hours}, not 721.`,
    'create --hours 1.5': `${hours}, not 1.5.`,
    'create --hours soon': `${hours}.`,
    'list --status lost':
      'Unknown value for flag `--status`: `lost`. Value must be one of: [`pending`, `accepted`, `revoked`, `expired`]',
    'list --limit 0': `${limit}, not 0.`,
    'list --limit 201': `${limit}, not 201.`,
  };
  const rejected = await fourAtOnce(Object.keys(expected), async (line) => [
    line,
    await latchkey(`invitations ${line}`),
  ]);
  for (const [line, ended] of rejected as [string, Ended][])
    expect(ended).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: ${expected[line]}\n\nUsage: latchkey invitations `),
    });
  const { exitCode, stdout, stderr } = await latchkey('invitations list --limit 0 --json');
  expect([exitCode, stdout, JSON.parse(stderr)]).toEqual([
    2,
    '',
    { error: { code: 'usage', message: `${limit}, not 0.` } },
  ]);
});

test('`latchkey invitations list` continues after the cursor of the previous page', async () => {
  await json('invitations create');
  await json('invitations create');
  const { invitations, nextCursor } = await json('invitations list --limit 1');
  const next = await json(`invitations list --limit 1 --cursor ${nextCursor}`);
  expect([invitations.length, next.invitations.length]).toEqual([1, 1]);
  expect(next.invitations[0].id).not.toBe(invitations[0].id);
  const wrong = await latchkey('invitations list --cursor nonsense');
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expectNoStack(wrong);
});
