import { readFileSync } from 'node:fs';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFiles } from '../../examples/server/files/store.ts';
import { runCommand } from '../cli/commands/support/command.ts';
import { dropRoles, newRole, urlAs } from '../db/support/roles.ts';
import { signUp, userIdOf } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const [owner, service] = [newRole('owner'), newRole('service')];
const passwords = { owner_password: `owner's`, service_password: `service's` };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(async () => {
  await database.drop();
  await dropRoles(owner, service);
});

/** Returns roles.sql with the names of this test, and without the commands and variables of psql. */
function rolesScript(): string {
  const script = readFileSync(new URL('../../examples/server/deploy/roles.sql', import.meta.url), 'utf8');
  const declared = [...script.matchAll(/^\\getenv (\w+) ([A-Z_]+)$/gm)].map(([, name]) => name);
  expect(declared).toEqual(Object.keys(passwords));
  return script
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(
      /:'(\w+)'/g,
      (_, name: keyof typeof passwords) => `'${passwords[name].replaceAll("'", "''")}'`,
    )
    .replaceAll('latchkey_owner', owner)
    .replaceAll('latchkey_service', service)
    .replaceAll('database latchkey', `database ${new URL(database.url).pathname.slice(1)}`);
}

test('with roles.sql, the service role can run the service, but not change tables or the audit log', async () => {
  await database.sql.unsafe(rolesScript());
  const ownerUrl = urlAs(database.url, owner, passwords.owner_password);
  const serviceUrl = urlAs(database.url, service, passwords.service_password);
  const migrated = await runCommand(`migrate --service-role=${service}`, {
    env: { MIGRATION_DATABASE_URL: ownerUrl },
  });
  expect([migrated.exitCode, migrated.stderr]).toEqual([0, '']);

  // The example server starts both parts like this.
  const server = await startServiceOn(serviceUrl, { migrate: true });
  const files = await openFiles(serviceUrl);
  const person = await signUp(server);
  const user = { id: userIdOf(person), username: person.username };
  expect(await files.create({ name: 'a', content: 'b' }, user, null)).toMatchObject({ name: 'a' });
  await files.close();
  await server.close();
  expect(server.logged).toEqual([]);

  const attacker = postgres(serviceUrl, { max: 1, onnotice: () => {} });
  for (const attempt of [
    'delete from latchkey.audit_events',
    'drop table latchkey.audit_events',
    'create table latchkey.other (id integer)',
    'create table public.other (id integer)',
    `alter database ${new URL(database.url).pathname.slice(1)} set search_path = latchkey`,
    'update latchkey.settings set audit_retention_minimum_days = 1',
  ])
    await expect(attacker.unsafe(attempt), attempt).rejects.toMatchObject({ code: '42501' });
  await attacker.end();
});
