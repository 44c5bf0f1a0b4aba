import { createSoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/commands/support/command.ts';
import { createAgent } from '../support/agent.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { readGuide } from './support/guide.ts';
import { type StartedApp, startApp } from './support/start-app.ts';

const guide = readGuide('docs/start/first-server.md');
const files = {
  'app.mjs': guide.block('createApp(auth) {'),
  'server.mjs': guide.block('createAuthService({'),
};
let database: TestDatabase;
let app: StartedApp;

beforeAll(async () => {
  // newcomer.test.ts runs an app with the embedded PostgreSQL.
  database = await createTestDatabase();
  app = await startApp(files, { DATABASE_URL: database.url });
});
afterAll(() => database.drop());

test('the server of the page greets a user with a session, and answers 401 without a session', async () => {
  const agent = createAgent(app.origin, app.origin);
  expect((await agent.get('/')).status).toBe(401);
  const { body } = await agent.post('/auth/passkey/register/start', { username: 'ada' });
  const credential = await createSoftwareAuthenticator({ origin: app.origin }).create(body.options);
  expect((await agent.post('/auth/passkey/register/verify', { credential })).status).toBe(201);
  expect((await agent.get('/')).body).toEqual({ hello: 'ada' });
});

test('the command of the page makes the user a superadmin while the server runs', async () => {
  const command = guide.block('change-role').trim().replace('npx latchkey ', '');
  const changed = await runCommand(command, { env: { DATABASE_URL: database.url } });
  expect([changed.exitCode, changed.stderr]).toEqual([0, '']);
  const [user] = await database.sql`select role from latchkey.users where username = 'ada'`;
  expect(user?.role).toBe('superadmin');
});

test('the server of the page ends by itself after SIGTERM', async () => {
  expect(guide.block('node server.mjs').trim()).toBe('node server.mjs');
  expect(await app.stop('SIGTERM')).toEqual({ exitCode: 0, output: '' });
});

test('the page installs every package that its files import', () => {
  const installed =
    guide
      .block('npm install')
      .match(/(?<=npm install ).*/g)
      ?.join(' ')
      .split(/\s+/) ?? [];
  const imported = Object.values(files).flatMap((code) => [...code.matchAll(/from '([\w-]+)/g)]);
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.map(([, name]) => name).filter((name) => !installed.includes(`${name}`))).toEqual([]);
});
