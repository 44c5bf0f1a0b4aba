import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServedApp } from '../../support/serve.ts';

/** Serves a request listener, such as an Express app, on a real HTTP server. */
export async function serveHandler(handler: RequestListener): Promise<ServedApp> {
  const server = createServer(handler);
  // With a keep-alive timeout, the server could close an idle connection at the moment when an agent reuses it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
