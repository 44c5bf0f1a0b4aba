import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, expectNoStack, temporaryFolders } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

const newFolder = temporaryFolders();
let database: TestDatabase;
let service: ServiceOn;
let ada: Person;
const latchkey = commandsOn(() => database);
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
  ada = await signUp(service, { username: 'ada' });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const document = {
  account: expect.objectContaining({ username: 'ada', hasPassword: false }),
  earlierUsernames: [],
  passkeys: [expect.objectContaining({ counter: 0 })],
  sessions: [expect.objectContaining({ method: 'passkey' })],
  memberships: [],
  createdOrganizations: [],
  imports: [],
  invitations: [],
  organizationInvitations: [],
  auditEvents: expect.arrayContaining([expect.objectContaining({ event: 'user.export' })]),
};

test('`latchkey users export` prints one JSON document with every list, and records the export', async () => {
  const { exitCode, stdout, stderr } = await latchkey('users export ada');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual(document);
  expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(document));
  expect((await eventsOf(database, 'user.export')).at(-1)).toMatchObject({
    actor_name: operator,
    target_id: userIdOf(ada),
  });
});

test('`--ndjson` writes one record per line, to a new file that only its owner can read', async () => {
  const file = join(newFolder(), 'ada.ndjson');
  const id = userIdOf(ada).toUpperCase();
  const { exitCode, stdout, stderr } = await latchkey(`users export ${id} --ndjson --output ${file}`);
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([exitCode, stdout, stderr]).toEqual([0, '', `Wrote ${records.length} records to ${file}.\n`]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(records.slice(0, 3).map(({ type }) => type)).toEqual(['account', 'passkey', 'session']);
});

test('the document contains the earlier username of a renamed user, and no passkeys and sessions of a deleted user', async () => {
  const ben = await signUp(service, { username: 'ben' });
  await service.auth.asOperator('ops').users.changeRole('ben', 'admin');
  await service.auth.asOperator('ops').users.rename('ben', 'benjamin');
  const before = JSON.parse((await latchkey('users export benjamin')).stdout);
  expect(before.earlierUsernames).toHaveLength(1);
  await service.auth.asOperator('ops').users.delete('benjamin');
  const after = JSON.parse((await latchkey(`users export ${userIdOf(ben)}`)).stdout);
  expect([after.account.username, after.passkeys, after.sessions]).toEqual(['benjamin', [], []]);
});

test('an existing file stays unchanged, and an export of an unknown user creates no file', async () => {
  const file = join(newFolder(), 'ada.json');
  const missing = await latchkey(`users export no-such-user --output ${file}`);
  expect(missing).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringContaining('Not found.') });
  writeFileSync(file, 'precious');
  const ended = await latchkey(`users export ada --output ${file}`);
  expect(ended).toMatchObject({ exitCode: 5, stderr: expect.stringContaining(file) });
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expectNoStack(ended);
});
