import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from '../../support/program-bundle.ts';

export type Announcement = { url: string; adopted: boolean; dataDirectory: string; lines: string[] };

export type ServerProcess = {
  child: ChildProcess;
  /** Resolves with the location of the database. Rejects with the error message if the start fails. */
  announcement: Promise<Announcement>;
  stop(): Promise<void>;
  kill(): Promise<void>;
};

let bundle: Promise<string> | undefined;

/** Returns the path of the script built from `server.ts`. */
export function serverBundle(): Promise<string> {
  bundle ??= bundleServer();
  return bundle;
}

async function bundleServer(): Promise<string> {
  const written = await bundleProgram(
    'tests/embedded/support/server.ts',
    `embedded-server-${process.pid}.mjs`,
  );
  // Test files run concurrently, so the script is moved into place. A child must not read a partly written script.
  const script = join(dirname(written), 'embedded-server.mjs');
  renameSync(written, script);
  return script;
}

export type ServerOptions = {
  /** By default, the server uses the default folder in `cwd`. */
  directory?: string;
  cwd?: string;
  uid?: number;
  gid?: number;
  env?: NodeJS.ProcessEnv;
};

export async function spawnServer(options: ServerOptions): Promise<ServerProcess> {
  const { directory, ...spawnOptions } = options;
  const script = await serverBundle();
  const child = spawn(process.execPath, directory === undefined ? [script] : [script, directory], {
    ...spawnOptions,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  // The child may exit before `stop` writes to it.
  child.stdin?.on('error', () => undefined);
  const announcement = firstLine(child).then((line) => {
    const message: Announcement & { error?: string } = JSON.parse(line);
    if (message.error !== undefined) throw new Error(message.error);
    return message;
  });
  // A test that kills the child early does not wait for the announcement.
  announcement.catch(() => undefined);
  return {
    child,
    announcement,
    async stop() {
      child.stdin?.end('stop\n');
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no output');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('the child printed no line');
}
