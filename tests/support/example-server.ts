import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { removeFolder } from './remove-folder.ts';
import { secret } from './test-service.ts';
import { testSignal } from './test-signal.ts';
import { withoutTimeLimits } from './without-time-limits.ts';

const main = fileURLToPath(new URL('../../examples/server/dist/main.js', import.meta.url));

/** The built example server in its own process. */
export interface ExampleServer {
  /** The origin of the pages. Its host is `localhost`, because passkeys do not work with an IP address as the host. */
  origin: string;
  process: ChildProcess;
  /** Returns everything that the server has written to stdout and stderr. */
  output(): string;
  /** Resolves with the exit code or the name of the signal when the process has ended. */
  exit: Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts the server, on a free port by default, and waits until the server is ready.
 *
 * @param program the built server; default: the server of this repository
 */
export async function startExampleServer(
  databaseUrl: string,
  env: Record<string, string> = {},
  givenPort?: number,
  program = main,
): Promise<ExampleServer> {
  const port = givenPort ?? (await freePort());
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      ...withoutTimeLimits,
      SERVER_ADDR: `:${port}`,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: secret,
      RATE_LIMIT: 'off',
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
  const origin = `${env.TLS_CERTIFICATE ? 'https' : 'http'}://localhost:${port}`;
  await untilReady(
    origin,
    () => child.exitCode,
    () => written,
  );
  return { origin, process: child, output: () => written, exit };
}

/** The exit code and the output of a process that ended by itself. */
export interface EndedServer {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the server with only PATH and the given environment, without an `.env` file. Waits until the server exits.
 *
 * @param prefix words before `node`, such as `setpriv`
 */
export async function runExampleServer(
  env: Record<string, string>,
  prefix: readonly string[] = [],
): Promise<EndedServer> {
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-example-'));
  const signal = testSignal();
  const [command = '', ...words] = [...prefix, process.execPath, main];
  const child = spawn(command, words, {
    cwd,
    env: { PATH: process.env.PATH, ...withoutTimeLimits, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  const ended = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (ended.stdout += chunk));
  child.stderr.on('data', (chunk) => (ended.stderr += chunk));
  const [exitCode] = await once(child, 'close');
  await removeFolder(cwd);
  return { exitCode, ...ended };
}

async function untilReady(
  origin: string,
  exitCode: () => number | null,
  output: () => string,
): Promise<void> {
  await eventually(() => {
    if (exitCode() !== null) throw new Error(`the example server did not become ready:\n${output()}`);
    return isReady(origin);
  });
}

/** Accepts any TLS certificate. */
const isReady = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const get = origin.startsWith('https:') ? getSecure : getPlain;
    get(`${origin}/readyz`, { agent: false, rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', () => resolve(false));
  });

// Operating systems choose higher ports for programs that accept any port, so none of them takes one of these ports. Each
// worker of Vitest has a range of its own.
const portsOfWorker = 1000;
const firstPort = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 10) * portsOfWorker;
let nextPort = process.pid;

/** Returns a port on which no process listens. Until a program listens there, no other test gets the same port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (nextPort++ % portsOfWorker);
    const server = createServer().listen(port);
    const isFree = await new Promise((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
