import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from '../browser/support/chromium.ts';
import { createAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/example-server.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { unlimitedStatements } from '../support/unlimited-children.ts';
import { installPackage, repository } from './support/installed-package.ts';

// Follows the section "Use it" of the README in an empty folder: the commands, the server and the `latchkey` command.
const run = promisify(execFile);
const executable = findChromium();
let folder: string;
let origin: string;
let env: Record<string, string | undefined>;
let server: ChildProcess;
let browser: Browser | null = null;

beforeAll(async () => {
  const readme = await readFile(`${repository}README.md`, 'utf8');
  const section = readme.split('## Use it')[1] ?? '';
  const [, commands = ''] = section.match(/```sh\n(.*?)```/s) ?? [];
  const [, code = ''] = section.match(/```ts\n(.*?)```/s) ?? [];
  // The package is not published yet, so the test installs the tarball.
  const application = await installPackage();
  const { dependencies } = JSON.parse(await readFile(join(application, 'package.json'), 'utf8'));
  const tarball = join(application, `${dependencies.latchkey}`.replace('file:', ''));

  folder = await mkdtemp(join(tmpdir(), 'latchkey-newcomer-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  env = { PATH: process.env.PATH, HOME: process.env.HOME, SERVER_ADDR: `:${port}`, ...unlimitedStatements };
  const script = commands.replace(' latchkey ', ` ${tarball} `);
  const quietly = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  await run('sh', ['-e', '-c', script], { cwd: folder, env: { ...env, ...quietly } });

  // Port 3000 may be in use.
  await writeFile(join(folder, 'server.mjs'), code.replace('listen(3000)', `listen(${port})`));
  server = spawn('node', ['server.mjs'], { cwd: folder, env, stdio: 'inherit' });
  await eventually(async () => (await fetch(origin).catch(() => null))?.status === 401);
});

afterAll(async () => {
  await browser?.close();
  if (server?.exitCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
  }
  if (!folder) return;
  // If root runs the test and only root can enter the folder, the data is stored in another folder.
  const { home } = JSON.parse(await readFile(join(folder, '.latchkey/postgres.json'), 'utf8'));
  for (const path of [home, folder]) await removeFolder(path);
});

const latchkey = async (line: string, settings: Record<string, string> = {}) =>
  JSON.parse(
    (
      await run('npx', ['latchkey', ...line.split(' '), '--json'], {
        cwd: folder,
        env: { ...env, ...settings },
      })
    ).stdout,
  );

test('a client signs up with a passkey and gets the greeting', async () => {
  const agent = createAgent(origin, origin);
  const { body } = await agent.post('/auth/passkey/register/start', { username: 'grace' });
  const credential = await createSoftwareAuthenticator({ origin }).create(body.options);
  expect((await agent.post('/auth/passkey/register/verify', { credential })).status).toBe(201);
  expect((await agent.get('/')).body).toBe('Hello grace');
});

test('the `latchkey` command creates the first superadmin only once', async () => {
  const made = await latchkey('bootstrap', {
    BOOTSTRAP_ADMIN_USERNAME: 'ada',
    BOOTSTRAP_ADMIN_PASSWORD: 'a wet towel in Oslo',
  });
  expect(made).toMatchObject({ user: { username: 'ada', role: 'superadmin' } });
  await expect(latchkey('bootstrap')).rejects.toMatchObject({ code: 3 });
});

test.skipIf(executable === null)(
  'a user signs up in Chromium and becomes an admin by accepting an invitation',
  async () => {
    browser = await launchChromium(executable ?? '');
    const page = await browser.newPage();
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(`${origin}/auth/openapi.json`);
    expect(await signUpIn(page, 'linus')).toBe(201);
    await page.goto(origin);
    expect(await page.textContent('body')).toBe('Hello linus');

    const { token } = await latchkey('invitations create --username linus');
    const accepted = await postIn(page, '/auth/admin/invitations/accept', { token });
    expect(accepted).toMatchObject({ status: 200, body: { user: { role: 'admin' } } });
  },
);

/** Signs up without the client library. Uses the browser's own methods for WebAuthn JSON. */
async function signUpIn(page: Page, username: string): Promise<number> {
  const { body } = await postIn(page, '/auth/passkey/register/start', { username });
  // The code is a string because it runs in the page, and TypeScript does not know the page's globals here.
  const create = `(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  })(${JSON.stringify(body.options)})`;
  const credential = await page.evaluate(create);
  return (await postIn(page, '/auth/passkey/register/verify', { credential })).status;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
const postIn = (page: Page, path: string, body: object): Promise<{ status: number; body: any }> =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body });
      return { status: answer.status, body: await answer.json() };
    },
    [path, JSON.stringify(body)] as const,
  );
