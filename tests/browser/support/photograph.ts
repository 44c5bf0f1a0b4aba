import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Narrow and wide, light and dark: for people to look at. Nothing may be wider than its screen. */
export async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  // What covers the page covers no more of it than the screen.
  const fullPage = (await page.locator('dialog[open]').count()) === 0;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: `${screenshots}${name}-${width}-${colorScheme}.png`, fullPage });
    }
  }
  // The narrowest of screens, and the narrowest of those that are laid out as wide ones.
  for (const width of [360, 620]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate(widest), `the width of ${name}`).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
}

const widest = `Math.max(...[document.documentElement, ...document.querySelectorAll('dialog')].map(
  (element) => element.getBoundingClientRect().left + element.scrollWidth))`;

/** As it would come out of a printer. */
export async function photographPrinted(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.screenshot({ path: `${screenshots}${name}-printed.png` });
  await page.emulateMedia({ media: null, colorScheme: 'light' });
}
