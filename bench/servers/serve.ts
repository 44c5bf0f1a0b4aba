import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free port, tells it to whoever started this process, and how much memory it holds when asked. */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', () => process.send?.({ rss: process.memoryUsage.rss() }));
  process.once('SIGTERM', () => process.exit(0));
  // Whoever measures is gone, by whatever way: nothing stays behind.
  process.once('disconnect', () => process.exit(0));
}
