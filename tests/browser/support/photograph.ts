import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, expectAccessibleStill, shownOn } from './axe.ts';

const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Pictures are for people, and cost more than everything that a machine looks at: they are taken when asked for. */
const takesPictures = process.env.PICTURES === 'on';

/** The narrowest of screens, the narrowest of those that are laid out as wide ones, one upright, and a wide one. */
const widths = [360, 620, 768, 1280] as const;
const [narrow, breakpoint, , wide] = widths;

/**
 * Looks at a page at every width, light and dark. Nothing may be wider than its screen, and axe looks at it narrow and
 * light, wide and dark.
 */
export async function photograph(page: Page, name: string): Promise<void> {
  // What covers the page covers no more of it than the screen.
  const isCovered = takesPictures && (await page.locator('dialog[open]').count()) > 0;
  let shown = '';
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // In colours alone, the dark is no wider than the light.
    for (const width of colorScheme === 'light' || takesPictures ? widths : [wide]) {
      await page.setViewportSize({ width, height: 800 });
      if (takesPictures && width !== breakpoint)
        await takePicture(page, `${name}-${width}-${colorScheme}`, !isCovered);
      const state = `${name}, ${colorScheme}, ${width} px wide`;
      if (colorScheme === 'light') await expectToFit(page, name, width);
      if (colorScheme === 'light' && width === narrow) {
        await expectAccessible(page, state);
        shown = await shownOn(page);
      }
      if (colorScheme === 'dark' && width === wide) await expectAccessibleStill(page, state, shown);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function takePicture(page: Page, name: string, captureBeyondViewport: boolean): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  const cdp = await cameraOf(page);
  // Playwright's own takes twice as long, most of it for smaller files.
  const { data } = await cdp.send('Page.captureScreenshot', {
    optimizeForSpeed: true,
    captureBeyondViewport,
  });
  await writeFile(`${screenshots}${name}.png`, data, 'base64');
}

const cameras = new WeakMap<Page, Promise<CDPSession>>();

/** One a page, for good: as it is detached, the page's virtual authenticators go as well. */
function cameraOf(page: Page): Promise<CDPSession> {
  const camera = cameras.get(page) ?? page.context().newCDPSession(page);
  cameras.set(page, camera);
  return camera;
}

/** A single picture of what is on the screen, for what is photographed thoroughly elsewhere. */
export async function snap(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
}

async function expectToFit(page: Page, name: string, width: number): Promise<void> {
  expect(await page.evaluate(widest), `the width of ${name} at ${width} px`).toBeLessThanOrEqual(width);
}

const widest = `Math.max(...[document.documentElement, ...document.querySelectorAll('dialog')].map(
  (element) => element.getBoundingClientRect().left + element.scrollWidth))`;

/** As it would come out of a printer. */
export async function photographPrinted(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  mkdirSync(screenshots, { recursive: true });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.screenshot({ path: `${screenshots}${name}-printed.png` });
  await page.emulateMedia({ media: null, colorScheme: 'light' });
}
