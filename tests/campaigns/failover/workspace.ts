import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A running program of the campaign. */
export interface Program {
  readonly pid: number;
  hasExited(): boolean;
  /** Kills the program and the programs that it has started in its process group. */
  kill(): Promise<void>;
}

/** The system user that runs a program. */
interface Account {
  uid: number;
  gid: number;
}

/** A temporary folder, and the programs that the campaign has started. */
export interface Workspace {
  readonly folder: string;
  /** The system user that PostgreSQL runs as, because PostgreSQL does not run as root. Undefined: the current user. */
  readonly account: Account | undefined;
  createFolder(name: string): Promise<string>;
  /** Starts a program whose output goes to `<name>.log`. */
  start(name: string, command: readonly [string, ...string[]], env?: Record<string, string>): Program;
  /** Calls `work` after all programs have ended. */
  onRemove(work: () => Promise<void>): void;
  remove(keep: boolean): Promise<void>;
}

export async function createWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'failover-'));
  await chmod(folder, 0o755);
  const account = process.getuid?.() === 0 ? accountNamed('postgres') : undefined;
  const programs: Program[] = [];
  const cleanUps: (() => Promise<void>)[] = [];
  let isRemoved = false;

  return {
    folder,
    account,
    async createFolder(name) {
      const path = join(folder, name);
      await mkdir(path, { mode: 0o700 });
      if (account) await chown(path, account.uid, account.gid);
      return path;
    },
    start(name, [command, ...args], env = {}) {
      if (isRemoved) throw new Error(`${name} must not start after the campaign has ended`);
      const log = openSync(join(folder, `${name}.log`), 'a');
      const child = spawn(command, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', log, log],
        // In its own process group, so that Ctrl-C reaches only the campaign.
        detached: true,
        ...account,
      });
      child.on('error', (error) => {
        throw error;
      });
      const { pid = 0 } = child;
      const hasExited = () => child.exitCode !== null || child.signalCode !== null;
      const program = {
        pid,
        hasExited,
        async kill() {
          if (hasExited()) return;
          const exit = once(child, 'exit');
          process.kill(-pid, 'SIGKILL');
          await exit;
        },
      };
      programs.push(program);
      return program;
    },
    onRemove: (work) => void cleanUps.push(work),
    async remove(keep) {
      isRemoved = true;
      await Promise.all(programs.map((program) => program.kill()));
      await Promise.all(cleanUps.map((work) => work()));
      if (!keep) await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
    },
  };
}

function accountNamed(name: string): Account {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined) throw new Error(`root needs the system user "${name}" to run PostgreSQL`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  for (let index = 0; index < count; index += 1) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  for (const server of servers) server.close();
  return ports;
}
