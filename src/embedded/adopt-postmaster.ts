import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterHome } from './cluster-home.ts';
import { askServer } from './connection.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findPostmaster, postmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { pidExists } from './processes.ts';

/**
 * How long to wait until a running postmaster accepts connections or has ended. PostgreSQL can be recovering or
 * shutting down.
 */
const MAX_WAIT_MS = 120_000;

/**
 * Finds a running postmaster (the main process of PostgreSQL) of this database, and waits until it accepts the
 * password.
 *
 * @returns the port, or null if no postmaster is running
 * @throws EmbeddedPostgresError `start_failed` if the running postmaster rejects the password or all connections
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
    const answer = port === null ? 'unavailable' : await askServer({ port, password }, dataDirectory);
    if (answer === 'accepts') return port;
    if (answer === 'wrong password') throw cannotAdopt(home, pid, `rejects the password in ${home.password}`);
    if (performance.now() > deadline) throw cannotAdopt(home, pid, 'accepts no connections');
    await sleep(50);
  }
}

/**
 * Removes the PID file if its PID now belongs to another program or to a zombie. PostgreSQL does not start while a
 * process with this PID exists. If no process has this PID, PostgreSQL replaces the file itself.
 *
 * Removing the file is safe even if child processes of the old postmaster still run. A new postmaster detects their
 * shared memory and does not start.
 */
function removeStalePidFile(home: ClusterHome): void {
  const left = readPostmasterFile(home);
  if (left && pidExists(left.pid)) rmSync(postmasterFile(home), { force: true });
}

function cannotAdopt(home: ClusterHome, pid: number, why: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL is running on ${home.data} (process ${pid}) but ${why}. ` +
      `Stop process ${pid}, and then try again. The log of PostgreSQL is ${home.log}.`,
  );
}
