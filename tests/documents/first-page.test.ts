import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from '../browser/support/chromium.ts';
import { watchPage } from '../browser/support/watched-pages.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { readGuide } from './support/guide.ts';
import { type StartedApp, startApp } from './support/start-app.ts';

const guide = readGuide('docs/start/first-page.md');
const files = {
  'app.mjs': guide.block('createApp(auth) {'),
  'server.mjs': readFile('createAuthService({'),
  'public/index.html': guide.block('<latchkey-sign-in>'),
  'public/page.js': guide.block('createAuthClient()'),
};
const executable = findChromium();
let database: TestDatabase;
let app: StartedApp;
let browser: Browser | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startApp(files, { DATABASE_URL: database.url });
});
afterAll(async () => {
  await browser?.close();
  await app?.stop('SIGINT');
  await database.drop();
});

/** The page continues first-server.md and uses its `server.mjs`. */
function readFile(text: string): string {
  const blocks = readFileSync('docs/start/first-server.md', 'utf8').split('```');
  return `${blocks.find((block) => /^(?:js|sh)\n/.test(block) && block.includes(text))}`.slice(3);
}

test('the page installs the packages that its app imports, besides those of the first server', () => {
  const installed = `${readFile('npm install')} ${guide.block('npm install')}`.split(/\s+/);
  const imported = [...files['app.mjs'].matchAll(/from '([\w-]+)/g)].map(([, name = '']) => name);
  expect(imported).toContain('koa-static');
  expect(imported.filter((name) => !installed.includes(name))).toEqual([]);
});

test('the page responds without a session and has a content security policy, and /hello needs a session', async () => {
  const page = await fetch(app.origin);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect((await fetch(`${app.origin}/hello`)).status).toBe(401);
});

test.skipIf(executable === null)(
  'a user creates an account, sees the passkey, signs out and signs in, without violating the policy',
  async () => {
    browser = await launchChromium(executable ?? '');
    const page = await browser.newPage();
    watchPage(page);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(app.origin);
    await page.locator('latchkey-sign-up').getByLabel('Username').fill('ada');
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    await page.getByRole('heading', { name: 'Hello, ada' }).waitFor();
    await expect.poll(() => page.locator('latchkey-passkeys').getByText('Added').count()).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Hello, ada' }).waitFor();
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
  },
);
