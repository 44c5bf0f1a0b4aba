import { createServer } from 'node:net';

/** Returns the preferred TCP port if it is free on 127.0.0.1. Otherwise returns a free port that the system chooses. */
export async function findFreePort(preferred: number | null): Promise<number> {
  return (preferred !== null && (await listenOnce(preferred))) || (await listenOnce(0)) || findFreePort(null);
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
