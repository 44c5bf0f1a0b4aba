import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import { eventually } from '../../support/eventually.ts';
import { removeFolder } from '../../support/remove-folder.ts';

/** A PostgreSQL that only this test uses, so it can be killed. */
export interface OwnPostgres {
  /** Its current URL. The port may change after a restart. */
  url(): string;
  /** Stops it like a crash and waits until it is gone. */
  crash(): Promise<void>;
  /** Restarts it with the same data. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-faults-'));
  // Under root, PostgreSQL runs under another account that needs access to the folder.
  await chmod(directory, 0o755);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory });
  return {
    url: () => server.url,
    async crash() {
      const file = join(server.dataDirectory, 'postmaster.pid');
      const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
      // Immediate shutdown: clients are not notified and the next start runs recovery.
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
    // EPERM: it runs under another account.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
