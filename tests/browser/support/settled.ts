import type { Page, Request } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

const running = new WeakMap<Page, Set<Request>>();

/** Starts to collect the running requests of the page. `settled` needs them. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  running.set(page, requests);
  page
    .on('request', (request) => void (request.resourceType() === 'fetch' && requests.add(request)))
    .on('requestfinished', (request) => void requests.delete(request))
    .on('requestfailed', (request) => void requests.delete(request));
}

/**
 * Waits until the page has loaded all its content. Content that arrives between the press and the release of a click
 * can move the button, so the click would be lost.
 */
export const settled = (page: Page): Promise<void> =>
  eventually(
    async () => hasNoRequests(page) && (await isComplete(page)) && hasNoRequests(page),
    () => `${page.url()} has not loaded all its content. Running requests: ${urlsOfRunning(page)}`,
  );

const hasNoRequests = (page: Page) => !running.get(page)?.size;
const urlsOfRunning = (page: Page) =>
  [...(running.get(page) ?? [])].map((one) => one.url()).join(', ') || 'none';

/**
 * Checks that the page has run its scripts, and shows no placeholder and no outdated list. Checks this again after two
 * frames and a timer, because Preact runs the effects of new content in a timer after a frame.
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
