import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './file-errors.ts';
import { isMarkedProcessAlive, markOf, type ProcessMark } from './processes.ts';

type LockOwner = ProcessMark & { token: string };

/**
 * How long to wait for the lock of a live process. The first start and the shutdown usually take less time. The lock of
 * a dead process is removed without waiting.
 */
const MAX_WAIT_MS = 240_000;

/**
 * Runs `work` while no other call with the same `path` runs, in this process or in another process.
 *
 * @param path the lock file
 * @throws EmbeddedPostgresError `start_failed` if a live process still holds the lock after a wait of four minutes
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

/** Uses link(2), which creates the lock file together with its content, so that no process can read an empty file. */
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
 * Removes the lock of a dead process. Takes a second lock first, and then checks the owner again. Without the second
 * lock, two processes could both find the dead owner. One process would then remove the lock that the other process has
 * just created.
 */
async function breakStaleLock(path: string): Promise<void> {
  await withExclusiveLock(`${path}-break`, async () => {
    const owner = readOwner(path);
    if (owner && !isMarkedProcessAlive(owner)) unlinkSync(path);
  });
}

function unlock(path: string, token: string): void {
  // The file is missing if a user has deleted the whole folder.
  if (readOwner(path)?.token === token) unlinkSync(path);
}

function readOwner(path: string): LockOwner | null {
  try {
    const owner: LockOwner = JSON.parse(readFileSync(path, 'utf8'));
    return owner;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // Only a power failure leaves an incomplete file (see `tryToLock`), so the process that wrote the file is dead.
    if (error instanceof SyntaxError) return { pid: 0, startedAt: 'never', token: '' };
    throw error;
  }
}

function heldTooLong(path: string, owner: LockOwner): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `process ${owner.pid} has been starting or stopping this database for minutes (lock file ${path}). ` +
      `Stop process ${owner.pid}, and then try again.`,
  );
}
