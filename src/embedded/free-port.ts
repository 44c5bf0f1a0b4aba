import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * By default, operating systems use other ports for outgoing connections. So no connection takes the port of PostgreSQL
 * while PostgreSQL is stopped.
 */
const stablePorts = { first: 30_000, end: 32_768 };

/** Returns the preferred TCP port if it is free on 127.0.0.1. Otherwise returns another free port. */
export async function findFreePort(preferred: number | null): Promise<number> {
  const candidates = preferred === null ? [] : [preferred];
  for (let count = 0; count < 20; count += 1) candidates.push(randomInt(stablePorts.first, stablePorts.end));
  // If all of these are taken, the system chooses.
  for (const candidate of [...candidates, 0]) {
    const port = await listenOnce(candidate);
    if (port !== null) return port;
  }
  return findFreePort(null);
}

/** Returns null if the port is taken. */
function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.unref();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
