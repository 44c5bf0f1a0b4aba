import type { BrowserContext, Page } from 'playwright-core';
import { startExampleServer } from '../../support/example-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { launchChromium } from './chromium.ts';
import { Complaints } from './complaints.ts';

/** What a story plays on: the built server, on a database of its own, and Chromium. */
export interface Stage {
  database: TestDatabase;
  origin: string;
  complaints: Complaints;
  /** A profile of its own, as on another device. */
  newContext(): Promise<BrowserContext>;
  open(context: BrowserContext): Promise<Page>;
  /** Makes every session's last proof of presence too old for what is delicate. */
  age(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param flags further flags of Chromium
 * @param env further settings of the server
 */
export async function setStage(
  executable: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<Stage> {
  // Beside the server, which takes as long to start.
  const launching = launchChromium(executable, flags);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    await launching.then((browser) => browser.close()).catch(() => {});
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const database = await createTestDatabase();
    closers.push(() => database.drop());
    // How long a password takes to check is tried elsewhere.
    const server = await startExampleServer(database.url, { BCRYPT_COST: '4', ...env });
    closers.push(() => {
      server.process.kill('SIGTERM');
      return server.exit;
    });
    const browser = await launching;
    const complaints = new Complaints();
    return {
      database,
      origin: server.origin,
      complaints,
      newContext: () => browser.newContext(),
      open: async (context) => {
        const page = await context.newPage();
        page.setDefaultTimeout(30_000);
        complaints.listenTo(page);
        return page;
      },
      age: async () => {
        await database.sql`
          update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
