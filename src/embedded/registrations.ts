import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterHome } from './cluster-home.ts';
import { errorCode } from './file-errors.ts';
import { isMarkedProcessAlive, markOf } from './processes.ts';

/**
 * Registers this process as a user of the database, by writing a file. The caller must hold the home's lock.
 *
 * @returns a function that removes the file; call it only while holding the home's lock
 */
export function register(home: ClusterHome): () => void {
  const { pid, startedAt } = markOf(process.pid);
  mkdirSync(home.users, { recursive: true, mode: 0o700 });
  const path = join(home.users, `${pid}-${randomUUID()}`);
  writeFileSync(path, startedAt ?? '');
  return () => rmSync(path, { force: true });
}

/** Whether a live process uses the database. Removes the files of dead processes. */
export function isInUse(home: ClusterHome): boolean {
  let inUse = false;
  for (const name of namesIn(home.users)) {
    const path = join(home.users, name);
    const startedAt = readFileSync(path, 'utf8') || null;
    if (isMarkedProcessAlive({ pid: Number.parseInt(name, 10), startedAt })) inUse = true;
    else rmSync(path, { force: true });
  }
  return inUse;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
