import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './file-errors.ts';
import { isMarkedProcessAlive, markOf, type ProcessMark } from './processes.ts';

type LockOwner = ProcessMark & { token: string };

/** Longer than a first start plus a slow shutdown. The lock of a dead process is broken immediately. */
const MAX_WAIT_MS = 240_000;

/**
 * Runs `work` while it holds the lock file at `path`. Excludes other processes and other calls in this process.
 *
 * @throws EmbeddedPostgresError `start_failed` if a live process holds the lock for too long
 */
export async function withExclusiveLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const owner = readOwner(path);
    if (owner === null) {
      if (tryToLock(path, token)) break;
    } else if (!isMarkedProcessAlive(owner)) await breakStaleLock(path);
    else if (performance.now() > deadline) throw heldTooLong(path, owner);
    else await sleep(20);
  }
  try {
    return await work();
  } finally {
    unlock(path, token);
  }
}

/** link(2) creates the lock file with its content, so that no process can read an empty lock. */
function tryToLock(path: string, token: string): boolean {
  const draft = `${path}-${token}`;
  const owner: LockOwner = { ...markOf(process.pid), token };
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    unlinkSync(draft);
  }
}

/**
 * Removes the lock of a dead owner, under a second lock and after another check. Otherwise two processes could both see
 * the dead owner, and the second would remove the lock that the first has just taken.
 */
async function breakStaleLock(path: string): Promise<void> {
  await withExclusiveLock(`${path}-break`, async () => {
    const owner = readOwner(path);
    if (owner && !isMarkedProcessAlive(owner)) unlinkSync(path);
  });
}

function unlock(path: string, token: string): void {
  // The file is missing if the whole folder was deleted.
  if (readOwner(path)?.token === token) unlinkSync(path);
}

function readOwner(path: string): LockOwner | null {
  try {
    const owner: LockOwner = JSON.parse(readFileSync(path, 'utf8'));
    return owner;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // A power failure can leave an empty file. The process that wrote it is dead.
    if (error instanceof SyntaxError) return { pid: 0, startedAt: 'never', token: '' };
    throw error;
  }
}

function heldTooLong(path: string, owner: LockOwner): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `process ${owner.pid} has been starting or stopping this database for minutes (lock file ${path}). ` +
      'Stop that process and start again.',
  );
}
