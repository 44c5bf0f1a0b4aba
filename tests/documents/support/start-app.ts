import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/example-server.ts';
import { secret } from '../../support/test-service.ts';
import { withoutTimeLimits } from '../../support/without-time-limits.ts';

// Programs in this folder import the built package by its name.
const parent = fileURLToPath(new URL('../.blocks/', import.meta.url));

/** An app of the documents, in a process of its own. */
export interface StartedApp {
  folder: string;
  origin: string;
  /** Sends the signal, and returns the exit code and everything that the app has written. */
  stop(signal: 'SIGINT' | 'SIGTERM'): Promise<{ exitCode: number | null; output: string }>;
}

/** Writes files into a new folder. */
export function writeApp(files: Record<string, string>): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'app-'));
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  return folder;
}

/** Runs `server.mjs` of these files on a free port, and waits until it responds. */
export async function startApp(
  files: Record<string, string>,
  env: Record<string, string>,
): Promise<StartedApp> {
  const port = await freePort();
  const server = `${files['server.mjs']}`.replace('listen(3000', `listen(${port}`);
  const folder = writeApp({ ...files, 'server.mjs': server });
  const settings = { JWT_SECRET: secret, SERVER_ADDR: `:${port}`, ...env };
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...withoutTimeLimits, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const origin = `http://localhost:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the app has ended:\n${output}`);
    return (await fetch(origin).catch(() => null)) !== null;
  });
  return {
    folder,
    origin,
    async stop(signal) {
      const ended = child.exitCode === null ? once(child, 'close') : undefined;
      child.kill(signal);
      await ended;
      rmSync(folder, { recursive: true });
      return { exitCode: child.exitCode, output };
    },
  };
}
