import { access, chmod, constants, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file system in memory that Linux provides. */
const memory = '/dev/shm';

/** A run needs less than a third of this. */
const neededBytes = 3 * 2 ** 30;

/**
 * Creates the folder for the PostgreSQL server of a run: in memory if possible, otherwise among the temporary files.
 *
 * Each test file creates a database (about 350 files) and drops it. On ext4, this takes a sixth of the run's CPU time.
 */
export async function createServerFolder(): Promise<string> {
  const folder = await mkdtemp(join((await hasRoom()) ? memory : tmpdir(), 'latchkey-tests-'));
  // If root runs the tests, another system user runs PostgreSQL, and must be able to enter the folder.
  await chmod(folder, 0o711);
  return folder;
}

/** Containers often have 64 MB there, and systems other than Linux have no such folder. */
async function hasRoom(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
