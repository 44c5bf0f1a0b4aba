import { access, chmod, constants, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The in-memory file system of Linux. */
const memory = '/dev/shm';

/** Free space that the folder must have. A run needs less than a third of it. */
const neededBytes = 3 * 2 ** 30;

/**
 * Creates the folder for the PostgreSQL server of a run: in memory if possible, otherwise in the folder for temporary
 * files. Each test file creates a database (about 350 files) and drops it, which is slow on a disk.
 */
export async function createServerFolder(): Promise<string> {
  const folder = await mkdtemp(join((await hasRoom()) ? memory : tmpdir(), 'latchkey-tests-'));
  // If root runs the tests, another system user runs PostgreSQL, and must be able to enter the folder.
  await chmod(folder, 0o711);
  return folder;
}

/** Whether `/dev/shm` has enough space. Containers often have only 64 MB there. Other systems do not have it. */
async function hasRoom(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
