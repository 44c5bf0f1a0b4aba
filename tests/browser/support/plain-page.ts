import { createServer, type RequestListener } from 'node:http';
import { createAuthService } from 'latchkey';
import { createApp } from '../../../examples/elements/app.ts';
import { freePort } from '../../support/example-server.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { secret } from '../../support/test-service.ts';
import type { Site } from './site.ts';

/** The example with the elements: a page without a framework and without a bundler. */
export async function startPlainPage(): Promise<Site> {
  const database = await createTestDatabase();
  const origin = `http://localhost:${await freePort()}`;
  const auth = await createAuthService({ env: {}, database: database.url, origins: origin, secret });
  // The built package, as a browser loads it.
  const app = createApp(auth).callback() as RequestListener;
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(Number(new URL(origin).port), done));
  return {
    database,
    origin,
    age: async () => {
      await database.sql`
        update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await auth.close();
      await database.drop();
    },
  };
}
