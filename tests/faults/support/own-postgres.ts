import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import { eventually } from '../../support/eventually.ts';
import { removeFolder } from '../../support/remove-folder.ts';

/** A PostgreSQL that a test may kill: it serves nobody else. */
export interface OwnPostgres {
  /** Where it is now; another port, maybe, after a new start. */
  url(): string;
  /** Takes it down as a crash does, and waits until it is gone. */
  crash(): Promise<void>;
  /** Starts it again on the same data. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-faults-'));
  // As root it runs under an account of its own, which has to be able to enter.
  await chmod(directory, 0o755);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory });
  return {
    url: () => server.url,
    async crash() {
      const file = join(server.dataDirectory, 'postmaster.pid');
      const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
      // Immediate shutdown: no goodbye to anybody, and recovery at the next start.
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

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
