import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterHome } from './cluster-home.ts';
import { errorCode, isGone } from './file-errors.ts';
import { commandLineOf, isAlive } from './processes.ts';

/** What postmaster.pid says; the lines are described in PostgreSQL's src/include/utils/pidfile.h. */
export type Postmaster = {
  pid: number;
  /** The data directory as the postmaster was given it, before any move of the project. */
  dataDirectory: string;
  /** Null while it is still starting. */
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
 * The live postmaster of this very data directory, or null. A pid proves little: the file may be left from
 * before a reboot, its pid another program's by now, or the whole project a copy of one that is running.
 */
export async function findPostmaster(home: ClusterHome): Promise<Postmaster | null> {
  const postmaster = readPostmasterFile(home);
  if (!postmaster || !isAlive(postmaster.pid)) return null;
  if (!isThisFolderOrGone(postmaster.dataDirectory, home.data)) return null;
  const commandLine = await commandLineOf(postmaster.pid);
  // Where the system does not tell, the connection that follows has to decide.
  if (commandLine !== null && !commandLine.includes(`-D ${postmaster.dataDirectory}`)) return null;
  return postmaster;
}

/** A path that is gone was this folder's before the project was moved; one that is another folder's is not. */
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
    // EACCES: another account's database.
    if (['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
