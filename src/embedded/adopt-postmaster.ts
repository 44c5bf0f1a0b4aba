import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterHome } from './cluster-home.ts';
import { askServer, maintenanceUrl } from './connection.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findPostmaster, postmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { pidExists } from './processes.ts';

/** One that is still recovering, or shutting down after its server was killed, gets this long to decide. */
const LONGEST_WAIT = 120_000;

/**
 * The port of a postmaster that survived its server, once it accepts our password; null when there is none,
 * and then nothing is in the way of starting one.
 * @throws EmbeddedPostgresError `start_failed` when one is there and does not let us in.
 */
export async function adoptPostmaster(home: ClusterHome, password: string): Promise<number | null> {
  const deadline = performance.now() + LONGEST_WAIT;
  for (;;) {
    const postmaster = await findPostmaster(home);
    if (!postmaster) {
      forgetReusedPid(home);
      return null;
    }
    const { pid, port, dataDirectory } = postmaster;
    const answer = port === null ? 'not now' : await askServer(maintenanceUrl(port, password), dataDirectory);
    if (answer === 'accepts') return port;
    if (answer === 'refuses our password')
      throw cannotAdopt(home, pid, `refuses the password in ${home.password}`);
    if (performance.now() > deadline) throw cannotAdopt(home, pid, 'accepts no connection');
    await sleep(50);
  }
}

/**
 * PostgreSQL sorts out a dead pid itself, minding children that outlived their postmaster; but it refuses to
 * start while there is a process with the pid, be it another program or a zombie. (Children that still use the
 * memory of the old postmaster keep the new one out without the file, too.)
 */
function forgetReusedPid(home: ClusterHome): void {
  const left = readPostmasterFile(home);
  if (left && pidExists(left.pid)) rmSync(postmasterFile(home), { force: true });
}

function cannotAdopt(home: ClusterHome, pid: number, why: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL is running on ${home.data} (process ${pid}) but ${why}. Stop that process and start again; ` +
      `its log is ${home.log}.`,
  );
}
