import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free port and sends the port to the parent process. Replies to each message with the memory in use. */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', () => process.send?.({ rss: process.memoryUsage.rss() }));
  process.once('SIGTERM', () => process.exit(0));
  // Exits when the parent process ends.
  process.once('disconnect', () => process.exit(0));
}
