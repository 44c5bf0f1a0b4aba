import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterHome } from './cluster-home.ts';
import { errorCode, isGone } from './file-errors.ts';
import { commandLineOf, isAlive } from './processes.ts';

/** The content of `postmaster.pid`. PostgreSQL's `src/include/utils/pidfile.h` describes the lines. */
export type Postmaster = {
  pid: number;
  /** The data directory at the postmaster's start. The project may have been moved since. */
  dataDirectory: string;
  /** Null while the postmaster is starting. */
  port: number | null;
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
    isReady: lines[7]?.trim() === 'ready',
  };
}

export function postmasterFile(home: ClusterHome): string {
  return join(home.data, 'postmaster.pid');
}

/**
 * Finds the running postmaster of this data directory, or returns null. The PID alone is no proof: the file may be from
 * before a reboot, another program may have the PID, or the project may be a copy of one that is running.
 */
export async function findPostmaster(home: ClusterHome): Promise<Postmaster | null> {
  const postmaster = readPostmasterFile(home);
  if (!postmaster || !isAlive(postmaster.pid)) return null;
  if (!isThisFolderOrGone(postmaster.dataDirectory, home.data)) return null;
  const commandLine = await commandLineOf(postmaster.pid);
  // If the system does not report the command line, the connection that follows decides.
  if (commandLine !== null && !commandLine.includes(`-D ${postmaster.dataDirectory}`)) return null;
  return postmaster;
}

/** A path that no longer exists counts as this folder's path from before the project was moved. */
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
    // EACCES: the database belongs to another account.
    if (['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
