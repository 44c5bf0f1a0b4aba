import { afterAll, beforeAll, expect, test } from 'vitest';
import { preview } from '../../features/support/invitations.ts';
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

test('invitations list says so where there are none', async () => {
  expect(await latchkey('invitations list')).toMatchObject({
    exitCode: 0,
    stdout: 'No invitations.\n',
    stderr: '',
  });
  expect(await json('invitations list')).toEqual({ invitations: [], nextCursor: null });
});

test('an invitation is created with a link that makes whoever accepts it an admin, and its row tells of that', async () => {
  const { exitCode, stdout, stderr } = await latchkey('invitations create');
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('shown this once')]);
  expect(stdout).toMatch(/^For +whoever has the link$/m);
  const [, token] = /^Link +http:\/\/localhost:3000\/invitation#token=(\S+)$/m.exec(stdout) ?? [];
  const id = idIn(stdout);
  expect(await eventsOf(database, 'invitation.create')).toMatchObject([
    { actor_type: 'operator', actor_name: operator, target_id: id },
  ]);
  const before = await latchkey('invitations list');
  expect(before.stdout.split('\n')[0]).toMatch(/^ID +STATUS +FOR +BY +ACCEPTED BY +EXPIRES \(UTC\)$/);
  expect(before.stdout).toMatch(new RegExp(`^${id} +pending +anybody +an operator +– +\\d{4}-`, 'm'));
  expect(before.stdout).not.toContain(`${token}`);

  const person = await signUp(service);
  expect((await person.browser.post('/auth/admin/invitations/accept', { token })).status).toBe(200);
  const after = await latchkey('invitations list --status accepted');
  expect(after.stdout).toMatch(
    new RegExp(`^${id} +accepted +anybody +an operator +${person.username} `, 'm'),
  );
  expect((await person.browser.get('/auth/session')).body.user.role).toBe('admin');
});

test('an invitation for somebody is for as many hours as were given, 72 by default', async () => {
  const { invitation, token, url } = await json('invitations create --username grace --hours 5');
  expect(url).toBe(`http://localhost:3000/invitation#token=${token}`);
  expect(invitation).toMatchObject({ username: 'grace', status: 'pending', role: 'admin' });
  const lifetimeOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
    Date.parse(expiresAt) - Date.parse(createdAt);
  expect(lifetimeOf(invitation)).toBe(5 * hour);
  expect(lifetimeOf((await json('invitations create')).invitation)).toBe(72 * hour);
});

test('a revoked invitation can no longer be looked at, and revoking is written down', async () => {
  const { invitation, token } = await json('invitations create');
  const { exitCode, stdout } = await latchkey(`invitations revoke ${invitation.id} --yes`);
  expect([exitCode, stdout]).toEqual([0, 'Revoked.\n']);
  expect((await preview(service.browser(), token)).status).toBe(410);
  expect(await eventsOf(database, 'invitation.revoke')).toMatchObject([
    { actor_name: operator, target_id: invitation.id },
  ]);
  const { invitations } = await json('invitations list --status revoked');
  expect(invitations).toMatchObject([{ id: invitation.id, status: 'revoked' }]);
  const another = idIn((await latchkey('invitations create')).stdout);
  expect(await json(`invitations revoke ${another} -y`)).toEqual({ revoked: another });
});

test('an invitation is not revoked where nobody can be asked and --yes is missing', async () => {
  const { invitation } = await json('invitations create');
  const ended = await latchkey(`invitations revoke ${invitation.id}`);
  expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toBe(`error: Revoke invitation ${invitation.id}? Say --yes to go on.\n`);
  const { invitations } = await json('invitations list --status pending --limit 200');
  expect(invitations).toContainEqual(expect.objectContaining({ id: invitation.id }));
});

test('an accepted invitation is refused with what mends it, one that is not there and an id that is none as well', async () => {
  const { invitation, token } = await json('invitations create');
  const person = await signUp(service);
  await person.browser.post('/auth/admin/invitations/accept', { token });
  const accepted = await latchkey(`invitations revoke ${invitation.id} --yes`);
  expect(accepted).toMatchObject({ exitCode: 3, stdout: '' });
  expect(accepted.stderr).toContain('latchkey users role <username> user');
  for (const id of ['0199aa00-0000-7000-8000-000000000000', 'not-an-id']) {
    const ended = await latchkey(`invitations revoke ${id} --yes`);
    expect([ended.exitCode, ended.stdout]).toEqual([3, '']);
    expect(ended.stderr).toMatch(/^error: Invitation not found|^error: Nobody and nothing/);
    expectNoStack(ended);
  }
});

test('values that cannot be are refused with exit code 2 and what is expected', async () => {
  const hours = '--hours: expected whole hours from 1 to 720.';
  const limit = '--limit: expected a number from 1 to 200.';
  const expected: Record<string, string> = {
    'create --hours 0': hours,
    'create --hours 721': hours,
    'create --hours 1.5': hours,
    'create --hours soon': hours,
    'list --status lost': '--status: expected one of pending, accepted, revoked, expired.',
    'list --limit 0': limit,
    'list --limit 201': limit,
  };
  const refused = await fourAtOnce(Object.keys(expected), async (line) => [
    line,
    await latchkey(`invitations ${line}`),
  ]);
  for (const [line, ended] of refused as [string, Ended][])
    expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: `error: ${expected[line]}\n` });
  const { exitCode, stdout, stderr } = await latchkey('invitations list --limit 0 --json');
  expect([exitCode, stdout, JSON.parse(stderr)]).toEqual([
    2,
    '',
    { error: { code: 'usage', message: limit } },
  ]);
});

test('a page ends with the cursor of the next', async () => {
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
