import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { listen } from './test-service.ts';

/** An app behind a real HTTP server. */
export interface ServedApp {
  /** Where it listens, without a path. */
  url: string;
  close(): Promise<void>;
}

export async function serve(app: Koa): Promise<ServedApp> {
  const server = await listen(app);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
