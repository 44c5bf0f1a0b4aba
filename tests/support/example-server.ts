import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { secret } from './test-service.ts';

const main = fileURLToPath(new URL('../../examples/server/dist/main.js', import.meta.url));

/** The built example server as a process of its own. */
export interface ExampleServer {
  /** Where its pages live; `localhost`, since passkeys do not work on an address. */
  origin: string;
  process: ChildProcess;
  /** Everything it has written, both streams. */
  output(): string;
  /** Resolves with the exit code, or the signal's name, once the process has ended. */
  exit: Promise<number | NodeJS.Signals | null>;
}

/** Starts it on a free port and waits until it is ready. */
export async function startExampleServer(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ExampleServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      SERVER_ADDR: `:${port}`,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: secret,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  child.stdout.on('data', (chunk) => (written += chunk));
  child.stderr.on('data', (chunk) => (written += chunk));
  const exit = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  const origin = `http://localhost:${port}`;
  await untilReady(
    origin,
    () => child.exitCode,
    () => written,
  );
  return { origin, process: child, output: () => written, exit };
}

async function untilReady(
  origin: string,
  exitCode: () => number | null,
  output: () => string,
): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline && exitCode() === null) {
    const ready = await fetch(`${origin}/readyz`).catch(() => null);
    if (ready?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the example server did not become ready:\n${output()}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
