import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

const running = new WeakMap<Page, number>();

/** Counts the page's running requests for `settled`. */
export function watchRequests(page: Page): void {
  const count = (by: number) => (request: { resourceType(): string }) => {
    if (request.resourceType() === 'fetch') running.set(page, (running.get(page) ?? 0) + by);
  };
  page.on('request', count(1)).on('requestfinished', count(-1)).on('requestfailed', count(-1));
}

/**
 * Waits until the page has loaded everything it shows. Content that arrives between the two halves of a click moves the
 * button away, and the click is lost.
 */
export const settled = (page: Page): Promise<void> =>
  eventually(async () => hasNoRequests(page) && (await isComplete(page)) && hasNoRequests(page));

const hasNoRequests = (page: Page) => (running.get(page) ?? 0) === 0;

/** Whether the page shows no placeholder and no outdated list, two frames from now. */
async function isComplete(page: Page): Promise<boolean> {
  try {
    return await page.evaluate<boolean>(`new Promise((resolve) => {
      const look = () => resolve(!document.querySelector('.skeleton, .list[aria-busy=true]'));
      requestAnimationFrame(() => requestAnimationFrame(look));
    })`);
  } catch (error) {
    if (/context was destroyed|navigation/i.test(`${error}`)) return false;
    throw error;
  }
}
