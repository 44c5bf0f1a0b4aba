import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './file-errors.ts';
import { isMarkedProcessAlive, markOf, type ProcessMark } from './processes.ts';

type LockOwner = ProcessMark & { token: string };

/** Longer than a first start and a slow shutdown together; a dead owner is noticed at once. */
const LONGEST_WAIT = 240_000;

/**
 * Runs `work` while no other process (nor another call in this one) holds the lock file at `path`.
 * @throws EmbeddedPostgresError `start_failed` when a live process does not let go of it.
 */
export async function withExclusiveLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  const deadline = performance.now() + LONGEST_WAIT;
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

/** link(2) makes the lock appear with its owner already written in it: there is no empty lock to misread. */
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
 * Two processes that both saw the dead owner must not both remove the lock: the second would remove the one
 * the first has just taken. So a stale lock is removed only under a lock of its own, after a second look.
 */
async function breakStaleLock(path: string): Promise<void> {
  await withExclusiveLock(`${path}-break`, async () => {
    const owner = readOwner(path);
    if (owner && !isMarkedProcessAlive(owner)) unlinkSync(path);
  });
}

function unlock(path: string, token: string): void {
  // Gone already when somebody deleted the whole folder.
  if (readOwner(path)?.token === token) unlinkSync(path);
}

function readOwner(path: string): LockOwner | null {
  try {
    const owner: LockOwner = JSON.parse(readFileSync(path, 'utf8'));
    return owner;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // A power cut can leave the file without its content; whoever wrote it is gone.
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
