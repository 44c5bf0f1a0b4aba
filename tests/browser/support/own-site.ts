import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type AuthServiceOptions, createAuthService } from 'latchkey';
import { pino } from 'pino';
import { createApp } from '../../../examples/server/app.ts';
import { latchkeyBrand } from '../../../examples/server/brand/setting.ts';
import type { FileCapability } from '../../../examples/server/files/capabilities.ts';
import { openFiles } from '../../../examples/server/files/store.ts';
import { loadPages } from '../../../examples/server/pages.ts';
import { Readiness } from '../../../examples/server/readiness.ts';
import { freePort } from '../../support/example-server.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { secret } from '../../support/test-service.ts';
import type { Site } from './site.ts';

const builtPages = fileURLToPath(new URL('../../../examples/server/dist/web/', import.meta.url));

/** The application of the example server, on a service with options that no environment variable can set. */
export async function startOwnSite(options: AuthServiceOptions<FileCapability>): Promise<Site> {
  const database = await createTestDatabase();
  const origin = `http://localhost:${await freePort()}`;
  const log = pino({ level: 'silent' });
  const auth = await createAuthService({
    database: database.url,
    origins: origin,
    secret,
    bcryptCost: 4,
    rateLimit: false,
    log,
    ...options,
  });
  const files = await openFiles(database.url);
  const state = {
    trustedProxies: 0,
    rateLimit: false,
    metrics: null,
    brand: latchkeyBrand,
    readiness: new Readiness(),
    stopping: false,
  };
  const app = createApp(auth, files, log, state, loadPages(auth, latchkeyBrand, builtPages));
  const server = createServer(app.callback());
  await new Promise<void>((done) => server.listen(Number(new URL(origin).port), done));
  return {
    database,
    origin,
    age: async () => {
      await database.sql`
        update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
    },
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
      await Promise.all([auth.close(), files.close()]);
      await database.drop();
    },
  };
}
