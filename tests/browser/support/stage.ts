import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, sharedChromium } from './chromium.ts';
import { Complaints } from './complaints.ts';
import { type Site, startSite } from './site.ts';
import { watchPage } from './watched-pages.ts';

/** A site, and a Chromium that opens its pages. */
export interface Stage extends Site {
  complaints: Complaints;
  /** Opens a new browser profile, as on another device. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  open(context: BrowserContext): Promise<Page>;
}

/**
 * Pages read the session every 30 seconds. On a slow machine, such a read could redirect a page in the middle of a step.
 * A success message disappears after 6 seconds, possibly before the test looks for it. So timers of 6 seconds or more
 * never fire, except in tests that set the clock.
 */
const withoutLongTimers = `{
  const { setTimeout } = window;
  window.setTimeout = (handler, ms, ...given) => (ms >= 6_000 ? 0 : setTimeout(handler, ms, ...given));
}`;

interface StageSettings {
  executable?: string | null;
  /** Additional to those of `launchChromium`. */
  flags?: string[];
  /** Additional environment variables for the server. */
  env?: Record<string, string>;
  /** Starts the server. Default: the built server with `env`. */
  start?: () => Promise<Site>;
}

export async function setStage({
  executable = findChromium(),
  flags = [],
  env = {},
  start = () => startSite(env),
}: StageSettings = {}): Promise<Stage> {
  // Chromium and the server start concurrently.
  const launching = sharedChromium(executable ?? '', flags);
  const contexts: BrowserContext[] = [];
  let site: Site | undefined;
  try {
    const started = await start();
    site = started;
    const browser = await launching;
    const complaints = new Complaints();
    return {
      ...started,
      complaints,
      newContext: async (options = {}) => {
        // Playwright waits for the end of animations before each click.
        const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
        contexts.push(context);
        await context.addInitScript(withoutLongTimers);
        return context;
      },
      open: async (context) => {
        const page = await context.newPage();
        watchPage(page, complaints);
        return page;
      },
      close: async () => {
        await Promise.all(contexts.map((context) => context.close()));
        await started.close();
      },
    };
  } catch (error) {
    await launching.catch(() => {});
    await site?.close();
    throw error;
  }
}
