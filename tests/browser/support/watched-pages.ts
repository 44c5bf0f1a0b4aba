import type { Page } from 'playwright-core';
import { beforeEach } from 'vitest';
import { Complaints } from './complaints.ts';
import { watchRequests } from './settled.ts';

const watched = new Map<Page, Complaints>();

/** Returns the open pages that are watched. */
export const openPages = (): Page[] => [...watched.keys()];

/** Collects the errors of a new page, counts its requests, and adds it to the report of a failed test. */
export function watchPage(page: Page, complaints = new Complaints()): void {
  // Slightly shorter than the timeout of a test, so that the error names the call that waited. Also applies to the other
  // pages of this browser profile.
  page.context().setDefaultTimeout(150_000);
  complaints.listenTo(page);
  watchRequests(page);
  watched.set(page, complaints);
  page.once('close', () => watched.delete(page));
}

/**
 * Adds the content and the unexpected console errors of each open page to the error of a failed test, because a timeout
 * alone does not show what was missing.
 */
export function reportPages(): void {
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async ({ task }) => {
      const [error] = task.result?.errors ?? [];
      if (!error) return;
      const reports = await Promise.all([...watched].map(([page, complaints]) => reportOn(page, complaints)));
      error.message = [error.message, ...reports].join('\n\n');
      // Some reporters print only the stack.
      error.stack = [error.stack, ...reports].join('\n\n');
    });
  });
}

async function reportOn(page: Page, complaints: Complaints): Promise<string> {
  const content = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error) => `The page does not respond: ${error}`);
  const errors = complaints.ours().map((text) => `Console: ${text}`);
  // Dialogs come last.
  return [`${page.url()} shows at the end:`, ...content.split('\n').slice(-50), ...errors].join('\n');
}
