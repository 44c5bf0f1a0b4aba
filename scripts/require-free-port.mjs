import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { parseEnv } from 'node:util';

/**
 * Called before the installation and the build. Ends the process if another program uses the port of the server. The
 * server checks the setting itself, so this function ignores values that it cannot read.
 */
export async function requireFreePort() {
  const own = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  const address = process.env.SERVER_ADDR?.trim() || own.SERVER_ADDR?.trim() || ':3000';
  const match = /^(?:\[([\da-f:.]+)\]|([^:\s[\]]*)):(\d{1,5})$/i.exec(address);
  const port = Number(match?.[3]);
  if (!match || port === 0 || port > 65_535) return;
  if (await isInUse(port, match[1] || match[2] || undefined)) {
    console.error(`Port ${port} is in use. Choose another port, for example with SERVER_ADDR=:${port + 1}.`);
    process.exit(1);
  }
}

const isInUse = (port, host) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }) => resolve(code === 'EADDRINUSE'));
    server.listen({ port, host }, () => server.close(() => resolve(false)));
  });
