import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isSigned, type Receiver, startReceiver } from '../../features/support/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, jsonOn } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

let database: TestDatabase;
let receiver: Receiver;
const allowed = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
const run = commandsOn(() => database);
const latchkey = (line: string, env: Record<string, string> = allowed) => run(line, env);
const json = jsonOn(() => database);
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});
beforeEach(async () => {
  await database.sql`delete from latchkey.webhooks`;
});

test('`latchkey webhooks list` says how to create the first webhook', async () => {
  expect(await latchkey('webhooks list')).toMatchObject({
    exitCode: 0,
    stdout: 'No webhooks. Create one with `latchkey webhooks create <name> <url>`.\n',
  });
  expect(await json('webhooks list')).toEqual({ webhooks: [] });
});

test('`latchkey webhooks create` prints the secret, and `test` sends an event signed with this secret', async () => {
  const created = await latchkey(`webhooks create siem ${receiver.url} --events user.,session.revoke`);
  expect([created.exitCode, created.stderr]).toEqual([0, expect.stringContaining('shown only once')]);
  const [, secret = ''] = /^Secret +(whsec_\S+)$/m.exec(created.stdout) ?? [];
  expect(created.stdout).toMatch(/^Events +session\.revoke, user\.$/m);
  expect(await eventsOf(database, 'webhook.create')).toMatchObject([
    { actor_type: 'operator', actor_name: operator, target_name: 'siem' },
  ]);
  const tested = await latchkey('webhooks test siem');
  expect([tested.exitCode, tested.stdout]).toEqual([0, expect.stringMatching(/^accepted 204 in \d+ ms\n$/)]);
  const [one] = receiver.received;
  expect(one && isSigned(one, secret)).toBe(true);
  const { stdout } = await latchkey('webhooks list');
  expect(stdout).toMatch(/^NAME +STATE +URL +EVENTS +LAST ATTEMPT \(UTC\) +RESULT +FAILING SINCE \(UTC\)$/m);
  expect(stdout).toMatch(/^siem +active +http:\S+ +session\.revoke,user\. /m);
  expect(stdout).not.toContain(secret);
});

test('`latchkey webhooks test` exits with 5 if the receiver does not accept the event', async () => {
  await latchkey(`webhooks create siem ${receiver.url}`);
  receiver.answer((response) => response.writeHead(500).end());
  const refused = await latchkey('webhooks test siem');
  expect([refused.exitCode, refused.stdout]).toEqual([5, expect.stringMatching(/^refused 500 in /)]);
  // Without the variable, the address is not reachable.
  const unreachable = await latchkey('webhooks test siem --json', {});
  expect([unreachable.exitCode, JSON.parse(unreachable.stdout)]).toEqual([
    5,
    expect.objectContaining({ fault: 'address_refused', status: null }),
  ]);
});

test('a webhook can be updated, rotated, paused, resumed and deleted', async () => {
  await json('webhooks create siem https://siem.example.com/ --events user.');
  expect(
    (await json('webhooks update siem --url https://other.example.com/ --events all')).webhook,
  ).toMatchObject({
    url: 'https://other.example.com/',
    events: null,
  });
  expect((await json('webhooks rotate-secret siem --yes')).secret).toMatch(/^whsec_/);
  expect((await json('webhooks pause siem')).webhook.state).toBe('paused');
  expect((await latchkey('webhooks list')).stdout).toMatch(/^siem +paused +https/m);
  expect((await json('webhooks resume siem --after end')).webhook.state).toBe('active');
  expect(await json('webhooks delete siem --yes')).toEqual({ deleted: 'siem' });
  expect(await json('webhooks list')).toEqual({ webhooks: [] });
});

test('invalid values exit with 2, and unknown names with 3', async () => {
  const invalid = await latchkey('webhooks create siem http://10.0.0.1/');
  expect([invalid.exitCode, invalid.stderr]).toEqual([2, expect.stringContaining('url')]);
  const unknown = await latchkey('webhooks pause absent');
  expect([unknown.exitCode, unknown.stderr]).toEqual([3, expect.stringContaining('absent')]);
});

test('with WEBHOOKS=off, the commands name the setting', async () => {
  const { exitCode, stderr } = await latchkey('webhooks list', { WEBHOOKS: 'off' });
  expect(exitCode).toBe(3);
  expect(stderr).toBe(
    'error: Webhooks are switched off (WEBHOOKS=off).\nTo switch them on, set WEBHOOKS=on.\n',
  );
});

test('the doctor reports webhooks that the service has paused', async () => {
  await json('webhooks create siem https://siem.example.com/');
  await database.sql`update latchkey.webhooks set state = 'paused', reason = 'failing'`;
  const { stdout } = await latchkey('doctor');
  expect(stdout).toContain('the webhook siem is paused (failing)');
  expect(stdout).toContain('latchkey webhooks resume siem');
});
