import { chmod, chown, mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './file-errors.ts';
import { runProgram, type ServerAccount } from './run-program.ts';
import { makeUnfinishedFolder } from './unfinished-folders.ts';

/** PostgreSQL keeps paths in buffers of 1024 bytes (MAXPGPATH) and appends to them. */
const LONGEST_PATH = 800;

/** What the system answers when the place is wrong, and not the moment (a full disk, too many open files). */
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
 * Why a database cannot live in this folder, or null if it can. Makes the folder and tries it as the account
 * that will use it: permissions, mounts and file systems say no in too many ways to predict.
 * @throws EmbeddedPostgresError `start_failed` when it is not the place that is wrong.
 */
export async function homeObstacle(root: string, account: ServerAccount | null): Promise<string | null> {
  if (Buffer.byteLength(root) > LONGEST_PATH) return 'its path is too long for PostgreSQL';
  // postmaster.pid is read by lines.
  if (/[\r\n]/.test(root)) return 'its path contains a line break';
  try {
    await mkdir(root, { recursive: true });
    // Whatever the umask: the account of the server passes through, and others can see whose database it is.
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
    if ((mode & 0o777) !== 0o700) return 'its file system keeps no permissions';
    if (!account) return null;
    if (uid !== account.uid) return 'its file system keeps no owners';
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

/** What PostgreSQL asks of its data directory: its own account's, and nobody else's to read. */
export async function handOver(path: string, account: ServerAccount | null): Promise<void> {
  await chmod(path, 0o700);
  if (account) await chown(path, account.uid, account.gid);
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}
