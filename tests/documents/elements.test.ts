import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Koa from 'koa';
import { createAuthRouter, createAuthService } from 'latchkey';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, webAuthnOf } from '../browser/support/chromium.ts';
import type { Site } from '../browser/support/site.ts';
import { type Stage, setStage } from '../browser/support/stage.ts';
import { story } from '../browser/support/story.ts';
import { freePort } from '../support/example-server.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';

const guide = readGuide('docs/guides/elements.md');

const pageWith = (script: string, body: string) =>
  `<!doctype html><html lang="en"><title>Test</title><script type="module" src="/${script}.js"></script>${body}`;
const elements = `import 'latchkey/elements';\n`;

/** The files of the site: the blocks of the guide, and pages that use them. */
const files: Readonly<Record<string, string>> = {
  '/': guide.block('<latchkey-sign-in></latchkey-sign-in>'),
  '/page.css': guide.block('::part(submit)'),
  '/page.js': guide.block("addEventListener('latchkey-signed-in'"),
  '/passkeys': pageWith('passkeys', '<latchkey-passkeys></latchkey-passkeys>'),
  '/passkeys.js': `${elements}
    window.shown = [];
    const record = (text, action) => shown.push({ text, action });
    const showDialog = record, showToast = record;
    ${guide.block('latchkey-before-passkeys-change')}`,
  '/step-up': pageWith('step-up', '<latchkey-step-up></latchkey-step-up>'),
  '/step-up.js': `${elements}${guide.block('beforeStepUp')}\nwindow.auth = auth;`,
  '/german': pageWith('german', '<latchkey-sign-in lang="de"></latchkey-sign-in>'),
  '/german.js': elements + guide.block("import 'latchkey/elements/de';"),
  '/texts': pageWith('texts', '<latchkey-sign-in></latchkey-sign-in>'),
  '/texts.js': guide.block('addMessages('),
};

/** Replaces the names of packages by URLs, as a bundler resolves them. */
const resolved = (script: string) =>
  script
    .replaceAll(/'latchkey\/(elements|client)'/g, "'/auth/$1/index.js'")
    .replaceAll(/'latchkey\/elements\/([\w-]+)'/g, "'/auth/elements/$1.js'");

async function startSite(): Promise<Site> {
  const database = await createTestDatabase();
  const origin = `http://localhost:${await freePort()}`;
  const auth = await createAuthService({ env: {}, database: database.url, origins: origin, secret });
  const app = new Koa();
  app.silent = true;
  app.use(createAuthRouter(auth).routes());
  app.use((ctx) => {
    const text = files[ctx.path];
    ctx.type = /\.\w+$/.exec(ctx.path)?.[0] ?? 'html';
    if (text !== undefined) ctx.body = resolved(text);
  });
  const server = createServer(app.callback());
  await new Promise<void>((done) => server.listen(Number(new URL(origin).port), done));
  return {
    database,
    origin,
    age: async () => {
      await database.sql`update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await auth.close();
      await database.drop();
    },
  };
}

test('the guide names the URL of each module as the router serves it', () => {
  const rows = [
    ...readFileSync('docs/guides/elements.md', 'utf8').matchAll(
      /\| `(latchkey\/[\w/-]+)`[^|]*\| `([^`]+)` \|/g,
    ),
  ];
  expect(rows.map(([, name, url]) => [name, url])).toEqual(
    ['latchkey/elements', 'latchkey/elements/sign-in', 'latchkey/elements/de', 'latchkey/client'].map(
      (name) => [name, resolved(`'${name}'`).slice(1, -1)],
    ),
  );
});

story('the code of the guide', () => {
  let stage: Stage;
  let page: Page;
  const goTo = (path: string) => page.goto(stage.origin + path);
  const shown = () => page.evaluate<string[]>('shown.map(({ text }) => text)');
  beforeAll(async () => {
    stage = await setStage({ start: startSite });
    page = await stage.open(await stage.newContext());
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await goTo('/');
  });
  afterAll(() => stage?.close());

  test('shows the sign-in form with the style of the guide', async () => {
    await page.locator('latchkey-sign-in').getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    const radius = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('latchkey-sign-in').shadowRoot.querySelector('[part~="submit"]')).borderRadius`,
    );
    expect(radius).toBe('32px');
  });

  test('creates an account, signs in with its passkey, and opens the page that the listener names', async () => {
    await page.locator('latchkey-sign-up').getByLabel('Username').fill('Ada');
    await page.locator('latchkey-sign-up').getByText('Available as ada').waitFor();
    // The address stays the same, so only the event shows that the page was opened again.
    const opened = page.waitForEvent('load');
    await page
      .locator('latchkey-sign-up')
      .getByRole('button', { name: 'Create account with a passkey' })
      .click();
    await expect
      .poll(() => stage.database.sql`select from latchkey.sessions`.then(({ length }) => length))
      .toBe(1);
    await opened;
    await page.context().clearCookies();
    await page.reload();
    await page.locator('latchkey-sign-in').getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${stage.origin}/?welcome=ada`);
  });

  test('offers to undo a rename, and asks before it removes a passkey', async () => {
    await goTo('/passkeys');
    const list = page.locator('latchkey-passkeys');
    const label = async () => (await stage.database.sql`select label from latchkey.passkeys`)[0]?.label;
    const before = await label();
    await list.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: /^Rename/ }).click();
    await list.getByRole('textbox').fill('Blue key');
    await list.getByRole('button', { name: 'Save' }).click();
    await expect.poll(shown).toEqual(['Renamed to Blue key']);
    expect(await label()).toBe('Blue key');
    await page.evaluate('shown[0].action().then(() => {})');
    expect(await label()).toBe(before);
    await list.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: /^Remove/ }).click();
    await expect.poll(shown).toEqual(['Renamed to Blue key', `Renamed to ${before}`, `Remove ${before}?`]);
    expect(await label()).toBe(before);
  });

  test('opens the step-up dialog of the page before an action that requires fresh authentication', async () => {
    await goTo('/step-up');
    await stage.age();
    await page.waitForFunction('window.auth');
    await page.evaluate(
      '{ window.made = null; void auth.recovery.generateCodes().then((made) => (window.made = made)); }',
    );
    await page
      .getByRole('dialog', { name: 'Confirm it’s you' })
      .getByRole('button', { name: 'Use your passkey' })
      .click();
    await expect.poll(() => page.evaluate('window.made?.codes.length')).toBe(10);
  });

  test('shows German texts, and the texts of the page', async () => {
    await goTo('/german');
    await page.getByRole('button', { name: 'Mit Passkey anmelden' }).waitFor();
    await goTo('/texts');
    await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
    expect(stage.complaints.ours()).toEqual([]);
  });
});
