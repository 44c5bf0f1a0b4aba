import type Koa from 'koa';
import KoaApp from 'koa';
import { type AuthService, createAuthRouter } from 'latchkey';
import { vi } from 'vitest';
import { createAgent, type TestAgent } from '../../support/agent.ts';
import { type ServedApp, serve } from '../../support/serve.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { origin, secret } from '../../support/test-service.ts';
import { importBlocks } from './run-blocks.ts';

/** The service and the app of a guide, on a real HTTP server, with a database of their own. */
export interface PastedService {
  auth: AuthService;
  /** The exports of the first file. */
  exports: Record<string, unknown>;
  database: TestDatabase;
  url: string;
  browser(): TestAgent;
  close(): Promise<void>;
}

/**
 * Runs the code blocks of a guide as they are, with environment variables for this test. The code exports the service
 * as `auth`. If the first file exports a Koa app as `app`, the test serves it. Otherwise, the test serves the router.
 *
 * @param files The code of each file, as for `importBlocks`. The first one is imported.
 * @param env Variables that the guide sets.
 */
export async function startPasted(
  files: Record<string, string>,
  env: Record<string, string> = {},
): Promise<PastedService> {
  const database = await createTestDatabase();
  const variables = {
    DATABASE_URL: database.url,
    JWT_SECRET: secret,
    BCRYPT_COST: '4',
    RATE_LIMIT: 'off',
    WEBHOOK_SENDER: 'off',
    AUDIT_SEQUENCER: 'off',
    ...env,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    const exports = await importBlocks(files);
    const auth = exports.auth as AuthService;
    const app = (exports.app as Koa | undefined) ?? new KoaApp().use(createAuthRouter(auth).routes());
    app.silent = true;
    const served: ServedApp = await serve(app);
    return {
      auth,
      exports,
      database,
      url: served.url,
      browser: () => createAgent(served.url, origin),
      close: async () => {
        await served.close();
        await auth.close();
        await database.drop();
      },
    };
  } finally {
    vi.unstubAllEnvs();
  }
}
