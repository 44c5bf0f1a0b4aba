import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterHome } from './cluster-home.ts';
import { askServer, maintenanceUrl } from './connection.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findPostmaster, postmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { pidExists } from './processes.ts';

/** How long a postmaster may take to recover or to shut down after its server was killed. */
const MAX_WAIT_MS = 120_000;

/**
 * Finds a postmaster that survived its server and waits until it accepts the password. Returns its port. Returns null if
 * no postmaster is running; the caller can then start one.
 *
 * @throws EmbeddedPostgresError `start_failed` if one is running but rejects the password or all connections
 */
export async function adoptPostmaster(home: ClusterHome, password: string): Promise<number | null> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const postmaster = await findPostmaster(home);
    if (!postmaster) {
      removeStalePidFile(home);
      return null;
    }
    const { pid, port, dataDirectory } = postmaster;
    const answer =
      port === null ? 'unavailable' : await askServer(maintenanceUrl(port, password), dataDirectory);
    if (answer === 'accepts') return port;
    if (answer === 'wrong password') throw cannotAdopt(home, pid, `rejects the password in ${home.password}`);
    if (performance.now() > deadline) throw cannotAdopt(home, pid, 'accepts no connections');
    await sleep(50);
  }
}

/**
 * Removes a PID file whose PID now belongs to another program or a zombie: PostgreSQL refuses to start while a process
 * with that PID exists. PostgreSQL itself handles a PID file whose process is gone. Removing the file is safe even if
 * child processes outlived the old postmaster: a new one detects them by their shared memory.
 */
function removeStalePidFile(home: ClusterHome): void {
  const left = readPostmasterFile(home);
  if (left && pidExists(left.pid)) rmSync(postmasterFile(home), { force: true });
}

function cannotAdopt(home: ClusterHome, pid: number, why: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL is running on ${home.data} (process ${pid}) but ${why}. Stop that process and start again. ` +
      `Its log is ${home.log}.`,
  );
}
