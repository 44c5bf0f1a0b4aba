import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterHome } from './cluster-home.ts';
import { errorCode, isGone } from './file-errors.ts';
import { commandLineOf, isAlive } from './processes.ts';

/**
 * The content of `postmaster.pid`, which the postmaster (the main process of PostgreSQL) writes. PostgreSQL's
 * `src/include/utils/pidfile.h` describes the lines.
 */
export type Postmaster = {
  pid: number;
  /** The path that the data directory had when the postmaster started. The path changes if a user moves the project. */
  dataDirectory: string;
  /** Null while the postmaster is starting. */
  port: number | null;
  /** Whether PostgreSQL accepts connections: as a primary, or as a standby. */
  isReady: boolean;
};

export function readPostmasterFile(home: ClusterHome): Postmaster | null {
  const lines = readLines(postmasterFile(home));
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid < 1) return null;
  const port = Number(lines[3]);
  return {
    pid,
    dataDirectory: lines[1] ?? '',
    port: Number.isInteger(port) && port > 0 ? port : null,
    isReady: ['ready', 'standby'].includes(lines[7]?.trim() ?? ''),
  };
}

export function postmasterFile(home: ClusterHome): string {
  return join(home.data, 'postmaster.pid');
}

/**
 * Finds the running postmaster of this data directory, or returns null. A running process with the PID in the file is
 * not always this postmaster. Another program can have the same PID, for example after a reboot. If the project is a
 * copy, the file is also a copy, and the PID can belong to the postmaster of the original.
 */
export async function findPostmaster(home: ClusterHome): Promise<Postmaster | null> {
  const postmaster = readPostmasterFile(home);
  if (!postmaster || !isAlive(postmaster.pid)) return null;
  if (!isThisFolderOrGone(postmaster.dataDirectory, home.data)) return null;
  const commandLine = await commandLineOf(postmaster.pid);
  // Null: the system does not report the command line. In this case, the caller connects to the port, and then detects
  // another program.
  if (commandLine !== null && !commandLine.includes(`-D ${postmaster.dataDirectory}`)) return null;
  return postmaster;
}

/** Whether `path` is this folder. Also true if `path` does not exist, because then the project was moved. */
function isThisFolderOrGone(path: string, folder: string): boolean {
  try {
    const [there, here] = [statSync(path), statSync(folder)];
    return there.ino === here.ino && there.dev === here.dev;
  } catch {
    return isGone(path);
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    // EACCES: the database belongs to another system user.
    if (['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
