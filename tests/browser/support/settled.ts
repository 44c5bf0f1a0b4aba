import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

const running = new WeakMap<Page, number>();

/** Starts to count the running requests of the page. `settled` needs this number. */
export function watchRequests(page: Page): void {
  const count = (by: number) => (request: { resourceType(): string }) => {
    if (request.resourceType() === 'fetch') running.set(page, (running.get(page) ?? 0) + by);
  };
  page.on('request', count(1)).on('requestfinished', count(-1)).on('requestfailed', count(-1));
}

/**
 * Waits until the page has loaded all its content. Content that arrives between the press and the release of a click
 * can move the button, so the click would be lost.
 */
export const settled = (page: Page): Promise<void> =>
  eventually(async () => hasNoRequests(page) && (await isComplete(page)) && hasNoRequests(page));

const hasNoRequests = (page: Page) => (running.get(page) ?? 0) === 0;

/**
 * Returns whether the page has run its scripts, and shows no placeholder and no outdated list. Then waits two frames and
 * a timer, because Preact runs the effects of new content in a timer after a frame, and checks this again.
 */
async function isComplete(page: Page): Promise<boolean> {
  try {
    return await page.evaluate<boolean>(`new Promise((resolve) => {
      const look = () =>
        document.readyState === 'complete' && !document.querySelector('.skeleton, .list[aria-busy=true]');
      if (!look()) resolve(false);
      else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(look()))));
    })`);
  } catch (error) {
    if (/context was destroyed|navigation/i.test(`${error}`)) return false;
    throw error;
  }
}
