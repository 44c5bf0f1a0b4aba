import { execFile, spawn } from 'node:child_process';
import { appendFile, chmod, cp, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import postgres from 'postgres';
import { eventually } from '../../support/eventually.ts';
import { removeFolder } from '../../support/remove-folder.ts';

const run = promisify(execFile);

/** A PostgreSQL server that only this test uses, so the test can kill it. */
export interface OwnPostgres {
  /** Returns the current URL of the superuser. The port may change after a restart. */
  url(): string;
  /** Stops the server without a shutdown, as in a crash, and waits until the process no longer exists. */
  crash(): Promise<void>;
  stop(): Promise<void>;
  /** Restarts the server with the same data. */
  start(): Promise<void>;
  /** Adds lines to `postgresql.conf`, and makes the server read the file. */
  configure(lines: string): Promise<void>;
  /** Copies the data of the stopped server. The copy is a standby that never receives another change. */
  copyAsStandby(): Promise<Standby>;
  remove(): Promise<void>;
}

/** A server that replays the changes of a primary, and rejects other changes. */
export interface Standby extends OwnPostgres {
  /** Makes the server a primary, as after a failover. */
  promote(): Promise<void>;
  /** Restarts the server as a standby. */
  demote(): Promise<void>;
}

export const startOwnPostgres = async (): Promise<OwnPostgres> => startIn(await newDirectory());

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-faults-'));
  // If root runs the test, PostgreSQL runs as another system user, who needs access to the folder.
  await chmod(directory, 0o755);
  return directory;
}

async function startIn(directory: string): Promise<Standby> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory });
  const inData = (name: string) => join(server.dataDirectory, name);

  async function postmaster(): Promise<number> {
    return Number((await readFile(inData('postmaster.pid'), 'utf8')).split('\n')[0]);
  }

  async function isStandby(): Promise<boolean> {
    const sql = postgres(server.superuserUrl, { max: 1, onnotice: () => {} });
    try {
      return (await sql`select pg_is_in_recovery() as standby`)[0]?.standby;
    } finally {
      await sql.end();
    }
  }

  return {
    url: () => server.superuserUrl,
    stop: () => server.stop(),
    async configure(lines) {
      await appendFile(inData('postgresql.conf'), `\n${lines}\n`);
      process.kill(await postmaster(), 'SIGHUP');
    },
    async copyAsStandby() {
      const copy = await newDirectory();
      // Keeps the owner, because PostgreSQL rejects the data of another system user.
      await run('cp', ['-a', `${directory}/.`, copy]);
      const standby = await startIn(copy);
      await standby.demote();
      return standby;
    },
    async demote() {
      await cp(inData('PG_VERSION'), inData('standby.signal'));
      const pid = await postmaster();
      const command = await readFile(inData('postmaster.opts'), 'utf8');
      const [program = '', ...options] = command.match(/[^\s"]+/g) ?? [];
      const { uid, gid } = await stat(server.dataDirectory);
      // SIGINT is a fast shutdown.
      process.kill(pid, 'SIGINT');
      await eventually(() => isGone(pid));
      // Does not use `startEmbeddedPostgres`, because it would change the roles, and a standby rejects
      // changes.
      spawn(program, options, {
        cwd: server.dataDirectory,
        uid,
        gid,
        detached: true,
        stdio: 'ignore',
      }).unref();
      await eventually(() => isStandby().catch(() => false));
    },
    async promote() {
      await writeFile(inData('promote'), '');
      process.kill(await postmaster(), 'SIGUSR1');
      await eventually(async () => !(await isStandby()));
    },
    async crash() {
      const pid = await postmaster();
      // SIGQUIT is an immediate shutdown: PostgreSQL does not inform clients and recovers at the next start.
      process.kill(pid, 'SIGQUIT');
      await eventually(() => isGone(pid));
    },
    async start() {
      server = await startEmbeddedPostgres({ directory });
    },
    async remove() {
      await server.stop();
      await removeFolder(directory);
      if (!server.dataDirectory.startsWith(directory)) await removeFolder(join(server.dataDirectory, '..'));
    },
  };
}

export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM means that the process exists and belongs to another system user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
