import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { listen } from './test-service.ts';

/** A Koa app on a real HTTP server. */
export interface ServedApp {
  /** The server's URL, without a path. */
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
