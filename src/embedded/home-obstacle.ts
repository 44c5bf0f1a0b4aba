import { chmod, chown, mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './file-errors.ts';
import { runProgram, type ServerAccount } from './run-program.ts';
import { makeUnfinishedFolder } from './unfinished-folders.ts';

/** PostgreSQL limits paths to 1024 bytes (MAXPGPATH). The remaining bytes are for the paths inside the folder. */
const MAX_PATH_BYTES = 800;

/** After these errors, the folder is not usable. Other errors are temporary, such as a full disk. */
const WRONG_PLACE = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENAMETOOLONG',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'ELOOP',
  'ENOTSUP',
];

/**
 * Creates the folder. Returns why PostgreSQL cannot use the folder for a database. Null: PostgreSQL can use the folder.
 * Writes to the folder as the system user that will run PostgreSQL, because only an attempt shows the effect of
 * permissions, mounts and file systems.
 *
 * @throws EmbeddedPostgresError `start_failed` if the attempt fails for a temporary reason
 */
export async function homeObstacle(root: string, account: ServerAccount | null): Promise<string | null> {
  if (Buffer.byteLength(root) > MAX_PATH_BYTES) return 'its path is too long for PostgreSQL';
  // PostgreSQL writes the path to `postmaster.pid`, and reads this file line by line.
  if (/[\r\n]/.test(root)) return 'its path contains a line break';
  try {
    await mkdir(root, { recursive: true });
    // `mkdir` depends on the umask, but every system user must be able to enter the folder.
    if ((await stat(root)).uid === process.geteuid?.()) await chmod(root, 0o711);
    const obstacle = await tryFolderInside(root, account);
    if (obstacle) await removeIfEmpty(root);
    return obstacle;
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && WRONG_PLACE.includes(code)) return `it cannot be written (${code})`;
    throw cannotTry(root, error);
  }
}

async function tryFolderInside(root: string, account: ServerAccount | null): Promise<string | null> {
  const probe = await makeUnfinishedFolder(root);
  try {
    if (process.platform === 'win32') return null;
    await handOver(probe, account);
    const { mode, uid } = await stat(probe);
    if ((mode & 0o777) !== 0o700) return 'its file system does not store permissions';
    if (!account) return null;
    if (uid !== account.uid) return 'its file system does not store owners';
    const touch = ['-c', 'cd "$0" && : > written && rm written', probe];
    const attempt = await runProgram('/bin/sh', touch, { account });
    if (attempt.spawnError) throw new Error(`running /bin/sh as ${account.name}: ${attempt.output}`);
    return attempt.ok ? null : `the system user ${account.name} cannot enter it`;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

function cannotTry(root: string, cause: unknown): EmbeddedPostgresError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EmbeddedPostgresError('start_failed', `PostgreSQL cannot use ${root}: ${reason}`, { cause });
}

/** Gives a data directory the owner and the mode that PostgreSQL requires. Only the owner can access the directory. */
export async function handOver(path: string, account: ServerAccount | null): Promise<void> {
  await chmod(path, 0o700);
  if (account) await chown(path, account.uid, account.gid);
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}
