import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, expectAccessibleStill } from './axe.ts';
import { settled } from './settled.ts';

const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Screenshots are slow and only for review by developers, so they are off by default. */
export const takesPictures = process.env.PICTURES === 'on';

/** The width of the narrowest wide layout. A window of 1280 px has this width at a zoom of 200%. */
const breakpoint = 640;
/**
 * The widths of a small phone, of the narrowest wide layout, of a tablet and of a desktop. A window of 1280 px has the
 * first width at a zoom of 400%.
 */
const widths = [320, breakpoint, 768, 1280] as const;
export const [narrow, , , wide] = widths;

/**
 * Checks that no content is wider than the screen, at every width. axe checks each state once: half of the states in
 * light colors at the smallest width, the others in dark colors at the largest width. This is enough, because all pages
 * use the same components and colors. With PICTURES=on, axe checks each state in both.
 *
 * @param name the name of the state and of its pictures
 * @param settings.isLoading the state shows a placeholder, so the function does not wait for its content
 * @param settings.onlyLayout skips axe. Use this for long lists of components that other tests check, because the duration
 * of axe grows with the number of elements.
 * @param settings.bothSchemes axe checks this state in light and in dark colors
 */
export async function photograph(
  page: Page,
  name: string,
  { isLoading = false, onlyLayout = false, bothSchemes = takesPictures } = {},
): Promise<void> {
  if (!isLoading) await settled(page);
  // With an open dialog, the screenshot shows only the viewport, because the dialog covers only the viewport.
  const hasDialog = takesPictures && (await page.locator('dialog[open]').count()) > 0;
  const isChecked = { light: bothSchemes || !isDark(name), dark: bothSchemes || isDark(name) };
  for (const colorScheme of ['light', 'dark'] as const) {
    // Dark pages have different colors only, so one width is enough.
    const shown = colorScheme === 'light' || takesPictures ? widths : [wide];
    if (colorScheme === 'dark' && !takesPictures && (onlyLayout || !isChecked.dark)) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of shown) {
      await page.setViewportSize({ width, height: 800 });
      if (takesPictures && width !== breakpoint)
        await takePicture(page, `${name}-${width}-${colorScheme}`, !hasDialog);
      const state = `${name}, ${colorScheme}, ${width} px wide`;
      if (colorScheme === 'light') await expectToFit(page, name, width);
      if (onlyLayout || !isChecked[colorScheme]) continue;
      if (colorScheme === 'light' && width === narrow) await expectAccessible(page, state);
      if (colorScheme === 'dark' && width === wide)
        await (bothSchemes ? expectAccessibleStill : expectAccessible)(page, state);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Whether axe checks the page with this name in dark colors: true for half of the names. */
const isDark = (name: string): boolean => createHash('sha256').update(name).digest().readUInt8() % 2 === 1;

async function takePicture(page: Page, name: string, captureBeyondViewport: boolean): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  const cdp = await cameraOf(page);
  // Screenshots of Playwright take twice as long, mostly because of the compression.
  const { data } = await cdp.send('Page.captureScreenshot', {
    optimizeForSpeed: true,
    captureBeyondViewport,
  });
  await writeFile(`${screenshots}${name}.png`, data, 'base64');
}

const cameras = new WeakMap<Page, Promise<CDPSession>>();

/** One debugger session per page. It is never detached, because that would remove the virtual authenticators. */
function cameraOf(page: Page): Promise<CDPSession> {
  const camera = cameras.get(page) ?? page.context().newCDPSession(page);
  cameras.set(page, camera);
  return camera;
}

/** Takes one screenshot of the viewport. Use this for a page that another test checks with `photograph`. */
export async function snap(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
}

export async function expectToFit(page: Page, name: string, width: number): Promise<void> {
  // Charts redraw in the frame after a change of the width.
  await expect
    .poll(() => page.evaluate(widest), { message: `the width of ${name} at ${width} px` })
    .toBeLessThanOrEqual(width);
}

/** No content may be wider than the screen, at the width of every layout. */
export async function expectToFitEverywhere(page: Page, name: string): Promise<void> {
  for (const width of [320, 390, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expectToFit(page, name, width);
  }
}

const widest = `Math.max(...[document.documentElement, ...document.querySelectorAll('dialog')].map(
  (element) => element.getBoundingClientRect().left + element.scrollWidth))`;

export async function photographPrinted(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  mkdirSync(screenshots, { recursive: true });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.screenshot({ path: `${screenshots}${name}-printed.png` });
  await page.emulateMedia({ media: null, colorScheme: 'light' });
}
