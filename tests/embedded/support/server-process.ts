import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from '../../support/program-bundle.ts';

export type Announcement = { url: string; adopted: boolean; dataDirectory: string; lines: string[] };

export type ServerProcess = {
  child: ChildProcess;
  /** Where its database is; rejects with what it said when it could not start. */
  announcement: Promise<Announcement>;
  stop(): Promise<void>;
  kill(): Promise<void>;
};

let bundle: Promise<string> | undefined;

/** The script of `server.ts`. */
export function serverBundle(): Promise<string> {
  bundle ??= bundleServer();
  return bundle;
}

async function bundleServer(): Promise<string> {
  const written = await bundleProgram(
    'tests/embedded/support/server.ts',
    `embedded-server-${process.pid}.mjs`,
  );
  // Test files run side by side: a child of one must not read what another has half written.
  const script = join(dirname(written), 'embedded-server.mjs');
  renameSync(written, script);
  return script;
}

export type ServerOptions = {
  /** Left out: the default folder, below `cwd`. */
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
  // It may be gone before it is told to stop.
  child.stdin?.on('error', () => undefined);
  const announcement = firstLine(child).then((line) => {
    const message: Announcement & { error?: string } = JSON.parse(line);
    if (message.error !== undefined) throw new Error(message.error);
    return message;
  });
  // A test that kills the child early is not interested.
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
  throw new Error('the child said nothing');
}
