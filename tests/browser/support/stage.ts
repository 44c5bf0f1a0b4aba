import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { Complaints } from './complaints.ts';
import { watchRequests } from './settled.ts';
import { type Site, startSite } from './site.ts';

/** The built server with its own database, and a Chromium. */
export interface Stage extends Site {
  complaints: Complaints;
  /** Opens a new browser profile, as on another device. */
  newContext(): Promise<BrowserContext>;
  open(context: BrowserContext): Promise<Page>;
}

/**
 * @param flags additional flags for Chromium
 * @param env additional environment variables for the server
 */
export async function setStage(
  executable: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<Stage> {
  // Chromium starts at the same time as the server, because both take equally long.
  const launching = launchChromium(executable, flags);
  const closeBrowser = () => launching.then((browser) => browser.close()).catch(() => {});
  let site: Site | undefined;
  try {
    const started = await startSite(env);
    site = started;
    const browser = await launching;
    const complaints = new Complaints();
    return {
      ...started,
      complaints,
      newContext: () => browser.newContext(),
      open: async (context) => {
        const page = await context.newPage();
        // The only time limit is the timeout of the test.
        page.setDefaultTimeout(0);
        complaints.listenTo(page);
        watchRequests(page);
        return page;
      },
      close: async () => {
        await closeBrowser();
        await started.close();
      },
    };
  } catch (error) {
    await closeBrowser();
    await site?.close();
    throw error;
  }
}
