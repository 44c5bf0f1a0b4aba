import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPackage } from '../../package/support/installed-package.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/example-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commonEnv, limits } from './support/command.ts';
import { credentials } from './support/superadmin.ts';

const run = promisify(execFile);
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await installPackage();
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Runs the installed `latchkey` command. */
const latchkey = (line: string, env: Record<string, string> = {}) =>
  run(join(folder, 'node_modules/.bin/latchkey'), line.split(' '), {
    cwd: folder,
    env: { ...commonEnv, DATABASE_URL: database.url, ...env },
    ...limits,
  });

test('installing the package does not install Ink, React or Meow', () => {
  const installed = readdirSync(join(folder, 'node_modules'));
  expect(installed).toEqual(expect.arrayContaining(['latchkey', 'koa', 'bcrypt']));
  expect(installed).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(ink.*|react.*|meow|uqr|pino)$/)]),
  );
});

test('the installed package can run `--version`, `secret`, `bootstrap` and `users list`', async () => {
  expect((await latchkey('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await latchkey('secret')).stdout).toMatch(/^[\w-]{43}\n$/);
  expect((await latchkey('bootstrap', credentials)).stdout).toContain('ada is a superadmin.');
  const { users } = JSON.parse((await latchkey('users list --json')).stdout);
  expect(users).toMatchObject([{ username: 'ada', role: 'superadmin' }]);
  expect(existsSync(join(folder, '.latchkey'))).toBe(false);
});

test('the command `latchkey dev` of the installed package serves the pages and the endpoints', async () => {
  const port = await freePort();
  const running = execFile(process.execPath, ['node_modules/.bin/latchkey', 'dev', '--port', `${port}`], {
    cwd: folder,
    env: { ...commonEnv, DATABASE_URL: database.url },
    ...limits,
  });
  const exit = new Promise((resolve) => running.once('exit', resolve));
  const get = (path: string) =>
    fetch(`http://localhost:${port}${path}`, { headers: { Accept: 'text/html' } });
  try {
    await eventually(async () => (await get('/readyz').catch(() => null))?.ok === true);
    const page = await get('/');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
    expect((await get('/assets/app.js')).status).toBe(200);
    expect((await get('/auth/session')).status).toBe(401);
  } finally {
    running.kill('SIGTERM');
  }
  expect(await exit).toBe(0);
});
