import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/commands/support/command.ts';
import { dropRoles, newRole } from '../db/support/roles.ts';
import { findPrograms } from '../operation/support/programs.ts';
import { createAgent } from '../support/agent.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { type StartedApp, startApp, writeApp } from './support/start-app.ts';

const guide = readGuide('docs/start/first-deployment.md');
const run = promisify(execFile);
const [owner, service] = [newRole('app_owner'), newRole('app_service')];
const settings = guide.block('NODE_ENV=production');
const site = 'https://app.example.com';
let database: TestDatabase;
let dotenv: string;
let app: StartedApp | undefined;

/** Replaces the names of the page with those of this test. */
function adapted(text: string): string {
  const { host, pathname } = new URL(database.url);
  return text
    .replaceAll('app_owner', owner)
    .replaceAll('app_service', service)
    .replaceAll('localhost:5432/app', `${host}${pathname}`)
    .replaceAll('database app ', `database ${pathname.slice(1)} `)
    .replace('replace-with-the-output-of-npx-latchkey-secret', secret)
    .replaceAll('/etc/app.env', dotenv);
}

/** Runs a command of the page. The settings come only from the file, as on the machine of the page. */
const latchkey = (line: string, env: Record<string, string> = {}) =>
  runCommand(line.trim().replace('npx latchkey ', ''), {
    env: { JWT_SECRET: undefined, BCRYPT_COST: undefined, ...env },
  });

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  dotenv = join(writeApp({}), 'app.env');
  writeFileSync(dotenv, adapted(settings));
});
afterAll(async () => {
  await app?.stop('SIGTERM');
  rmSync(dirname(dotenv), { recursive: true });
  await database.drop();
  await dropRoles(owner, service);
});

test('the roles and the migration of the page give the service only the rights that it needs', async () => {
  await database.sql.unsafe(adapted(guide.block('create role')));
  const [, url = '', line = ''] = /^export MIGRATION_DATABASE_URL=(.*)\n(.*)\n$/.exec(
    adapted(guide.block('latchkey migrate')),
  ) as string[];
  const migrated = await latchkey(line, { MIGRATION_DATABASE_URL: url });
  expect([migrated.exitCode, migrated.stderr]).toEqual([0, expect.not.stringContaining('error')]);

  const [, serviceUrl = ''] = /DATABASE_URL=(.*)/.exec(adapted(settings)) as string[];
  const attacker = postgres(serviceUrl, { max: 1, onnotice: () => {} });
  await expect(attacker`delete from latchkey.audit_events`).rejects.toThrow('permission denied');
  await expect(attacker`alter table latchkey.users add column x text`).rejects.toThrow('must be owner');
  await attacker.end();
});

test('with the settings of the page, the app accepts its own origin and rejects others', async () => {
  const start = readFileSync('docs/start/first-server.md', 'utf8');
  const [, code = ''] = start.match(/```js\n(import \{ createAuthService[\s\S]*?)```/) ?? [];
  const [, createApp = ''] = start.match(/```js\n(import Koa[\s\S]*?)```/) ?? [];
  const env = Object.fromEntries(
    adapted(settings)
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s)),
  );
  app = await startApp({ 'app.mjs': createApp, 'server.mjs': code }, env);

  const stranger = createAgent(app.origin, 'https://elsewhere.example');
  const refused = await stranger.post('/auth/passkey/register/start', { username: 'eve' });
  expect(refused.body.code).toBe('cross_origin_request');
  const agent = createAgent(app.origin, site);
  const fromProxy = { 'X-Forwarded-For': '203.0.113.7' };
  const { body } = await agent.post('/auth/passkey/register/start', { username: 'ada' });
  const credential = await createSoftwareAuthenticator({ origin: site }).create(body.options);
  const signedUp = await agent.post('/auth/passkey/register/verify', { credential }, fromProxy);
  expect(signedUp.status).toBe(201);
  expect(signedUp.headers.getSetCookie().join()).toContain('__Host-latchkey=');
  const [event] = await database.sql`select ip from latchkey.audit_events where event = 'account.signup'`;
  expect(event?.ip).toContain('203.0.113.7');
});

test('the last commands of the page make the user a superadmin, and the doctor reports no error', async () => {
  const changed = await latchkey(adapted(guide.block('change-role')));
  expect([changed.exitCode, changed.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  const checked = await latchkey(adapted(guide.block('latchkey doctor')));
  expect(checked.stdout.split('\n').filter((line) => line.startsWith('✗'))).toEqual([]);
  expect([checked.exitCode, checked.stdout]).toEqual([0, expect.stringContaining('Superadmins')]);
});

test('the unit starts the server with the settings of the page', () => {
  const unit = guide.block('[Service]');
  expect(unit).toContain('\nEnvironmentFile=/etc/app.env\n');
  expect(unit).toContain('\nExecStart=/usr/bin/node server.mjs\n');
});

const caddyfile = guide.block('reverse_proxy');

test.skipIf(!findPrograms('caddy'))('Caddy sends the requests for the site to the server', async () => {
  const folder = writeApp({ Caddyfile: caddyfile });
  const { stdout } = await run('caddy', ['adapt', '--adapter', 'caddyfile', '--config', 'Caddyfile'], {
    cwd: folder,
  });
  rmSync(folder, { recursive: true });
  expect(stdout).toContain('"host":["app.example.com"]');
  expect(stdout).toContain('"dial":"127.0.0.1:3000"');
  expect(settings).toContain('HOST=127.0.0.1');
});
