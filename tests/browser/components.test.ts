import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messages } from '../../scripts/catalogue.ts';
import { icons } from '../../scripts/icons.ts';
import { findChromium, launchChromium } from './support/chromium.ts';
import { photograph } from './support/photograph.ts';
import { story } from './support/story.ts';
import { watchPage } from './support/watched-pages.ts';

const origin = 'https://components.test';
// The policy of the example server.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";
const document = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Components</title>
  <link rel="stylesheet" href="/gallery.css"><div id="app"></div><script src="/gallery.js"></script></html>`;

async function bundle(): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./gallery/gallery.tsx', import.meta.url))],
    outdir: '/',
    bundle: true,
    write: false,
    tsconfig: 'tsconfig.web.json',
    loader: { '.woff2': 'empty' },
    plugins: [icons(), messages()],
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [path, text]));
}

story('the components:', () => {
  let browser: Browser;
  let page: Page;
  const violations: string[] = [];
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const message = (text: string) => page.getByRole('status').getByText(text, { exact: true });

  beforeAll(async () => {
    const files = await bundle();
    browser = await launchChromium(findChromium() ?? '');
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    page = await context.newPage();
    watchPage(page);
    page.on('console', (line) => line.type() === 'error' && violations.push(line.text()));
    page.on('pageerror', (error) => violations.push(`${error}`));
    await page.clock.install();
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      const body = files[pathname];
      if (pathname === '/auth/session') return route.fulfill({ status: 200, json: null });
      if (pathname === '/')
        return route.fulfill({
          body: document,
          headers: { 'content-type': 'text/html', 'content-security-policy': policy },
        });
      return route.fulfill({
        body: body ?? '',
        contentType: pathname.endsWith('.css') ? 'text/css' : 'text/javascript',
      });
    });
    await page.goto(origin);
    await page.getByRole('heading', { name: 'Components' }).waitFor();
  });
  afterAll(() => browser?.close());

  test('all components fit every width, have enough contrast in both themes, and work with screen readers', async () => {
    await photograph(page, 'components', { bothSchemes: true });
  });

  test('a message disappears after six seconds', async () => {
    await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 60_000'));
    await button('Show message').click();
    // Preact starts the timer after the next frame, and frames also follow the clock.
    await page.clock.runFor(100);
    await page.clock.runFor(5_800);
    expect(await message('Saved').count()).toBe(1);
    await page.clock.runFor(300);
    expect(await message('Saved').count()).toBe(0);
    await page.clock.resume();
  });

  test('a message stays while the pointer or the focus is on it', async () => {
    await button('Show message').click();
    await message('Saved').hover();
    // Preact stops the timer after the next frame.
    await page.clock.runFor(100);
    await page.clock.runFor(20_000);
    expect(await message('Saved').count()).toBe(1);
    await button('Dismiss').focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(100);
    await page.clock.runFor(20_000);
    expect(await message('Saved').count()).toBe(1);
    await button('Dismiss').click();
    await expect.poll(() => message('Saved').count()).toBe(0);
  });

  test('a message reverses the action with Undo, and disappears', async () => {
    await button('Disable ben').click();
    await button('Undo').click();
    await page.locator('output').getByText('undone').waitFor();
    await expect.poll(() => message('ben was disabled').count()).toBe(0);
  });

  test('a disabled button can have the focus, explains itself and does nothing', async () => {
    const leave = page.getByRole('button', { name: /^Leave\b.*You’re the last superadmin/ });
    await leave.focus();
    await page.keyboard.press('Enter');
    expect(await leave.getAttribute('aria-disabled')).toBe('true');
    expect(await page.locator('output').innerText()).toBe('undone');
  });

  test('a copy button copies the text', async () => {
    await button('Copy the link').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('copied text');
  });

  test('a menu stays inside the window at the end of the page and on a phone', async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 500 });
      await button('Actions for Ada Lovelace').click();
      const box = await page.getByRole('menu').boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(500);
      if (width === 390) expect(box).toMatchObject({ x: 0, width: 390 });
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    }
  });

  test('a chart shows the values of a day, and the same numbers as a table', async () => {
    await page.locator('.chart__target').nth(13).hover();
    await page.locator('.chart__tooltip').getByText('November 14').waitFor();
    await page.getByText('Show as a table').click();
    await expect
      .poll(() => page.getByRole('table', { name: 'Sign-ins per day' }).getByRole('row').count())
      .toBe(31);
    const refused = page
      .getByRole('row', { name: /^November 14 / })
      .getByRole('cell')
      .last();
    expect(await refused.innerText()).toBe('34');
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => page.locator('.chart__drawing').getAttribute('width')).toMatch(/^3\d\d$/);
  });

  test('a sheet closes with Escape and returns the focus', async () => {
    await button('Open sheet').click();
    await page.getByRole('dialog', { name: 'Invite people' }).waitFor();
    await photograph(page, 'sheet');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Open sheet');
  });

  test('all components cause no violations of the content security policy', () => {
    expect(violations).toEqual([]);
  });
});
