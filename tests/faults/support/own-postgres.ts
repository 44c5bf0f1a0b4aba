import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import { eventually } from '../../support/eventually.ts';
import { removeFolder } from '../../support/remove-folder.ts';

/** A PostgreSQL server that only this test uses, so the test can kill it. */
export interface OwnPostgres {
  /** Returns the current URL of the superuser. The port may change after a restart. */
  url(): string;
  /** Stops the server without a shutdown, as in a crash, and waits until the process no longer exists. */
  crash(): Promise<void>;
  /** Restarts the server with the same data. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-faults-'));
  // If root runs the test, PostgreSQL runs as another system user, who needs access to the folder.
  await chmod(directory, 0o755);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory });
  return {
    url: () => server.superuserUrl,
    async crash() {
      const file = join(server.dataDirectory, 'postmaster.pid');
      const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
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
